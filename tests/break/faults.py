"""Finds the faults that tests/break/mutate puts into sources.

It works on text, because all sources are formatted alike. The caller drops faults that do
not compile.
"""
import re

# Replacements of operators, which have spaces around them.
SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
           "===": "!==", "!==": "===", "&&": "||", "||": "&&", "+": "-", "-": "+"}
OPERATOR = re.compile(r"(?<= )(<=?|>=?|===?|!==?|&&|\|\||\+|-)(?=[ \n])")
NUMBER = re.compile(r"(?<![\w.\"'])(0x[0-9a-fA-F]+|0|[1-9]\d*)(?![\w.])")
CONDITION = re.compile(r"\b(?:if|while) \(")
# Statements that can be deleted: they declare nothing and do not change the rest of the
# control flow. A call or an assignment has one word before its operator.
STATEMENT = re.compile(r"^(\t+)((?:[*(]|\+\+|--)?\w[\w.>\[\]*+-]*(?:\(| [-+*/|&^%]?= | (?:<<|>>)= "
                       r"|\+\+;|--;)[^\n{}]*;|break;|continue;)$", re.M)
# Text without faults: comments, strings, preprocessor lines, and JavaScript's patterns.
DARK = {
    "c": re.compile(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
                    r"|^#(?:[^\n\\]|\\.|\\\n)*", re.S | re.M),
    "js": re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
                     r"|`(?:\\.|[^`\\])*`|(?<=[(=,] )/(?![*/ ])(?:\\.|[^/\\\n])+/|(?<=\()/(?![*/ ])"
                     r"(?:\\.|[^/\\\n])+/|^import [^;]*;", re.S | re.M),
}
FUNCTION = re.compile(r"^(?:[A-Za-z_][^\n;={}]*?[ *])?(\w+)\((?:[^;{}]*)\)\n\{\n(.*?)^\}", re.S | re.M)


class Fault:
    """A fault: in `path`, the text from `start` to `end`, in `function`, becomes `new`."""

    def __init__(self, path, function, source, span, new):
        self.path, self.function = path, function
        self.start, self.end = span
        self.new = new
        self.line = source.count("\n", 0, self.start) + 1
        self.before = self.lines(source)
        self.after = self.lines(self.put(source), len(new) - (self.end - self.start))

    def put(self, source):
        return source[:self.start] + self.new + source[self.end:]

    def lines(self, text, longer=0):
        first = text.rfind("\n", 0, self.start) + 1
        last = text.find("\n", self.end + longer)
        return " ".join(text[first:last].split())

    def key(self):
        """Returns what identifies the fault, even after lines have moved."""
        return (self.path, self.before, self.after)


def without(source, dark):
    """Returns the source with spaces in place of all that is not code."""
    return dark.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), source)


def closing(code, at):
    """Returns the index of the parenthesis that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if depth == 0:
            return i
    return None


def spans(code, source, start, end):
    """Yields the span and the replacement of each fault between start and end."""
    for m in OPERATOR.finditer(code, start, end):
        yield m.span(), SHIFTED[m.group()]
    for m in NUMBER.finditer(code, start, end):
        value, form = int(m.group(), 0), hex if m.group().startswith("0x") else str
        yield m.span(), form(value + 1)
        if value:
            yield m.span(), form(value - 1)
    for m in CONDITION.finditer(code, start, end):
        close = closing(code, m.end() - 1)
        if close:
            yield (m.end(), close), "!(" + source[m.end():close] + ")"
    for m in STATEMENT.finditer(code, start, end):
        yield m.span(2), ";"


def faults_of(path):
    """Returns all faults of a file, in its order. In C, only functions have faults."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    kind = "js" if path.endswith(".js") else "c"
    code = without(source, DARK[kind])
    found = []
    bodies = [("", 0, len(code))] if kind == "js" else \
        [(m.group(1), m.start(2), m.end(2)) for m in FUNCTION.finditer(code)]
    for function, start, end in bodies:
        found += [Fault(path, function, source, span, new)
                  for span, new in spans(code, source, start, end)]
    return sorted(found, key=lambda f: (f.start, f.end, f.new))

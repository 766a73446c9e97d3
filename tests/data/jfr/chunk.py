#!/usr/bin/env python3
"""chunk.py NAME: writes a small recording of JFR made by hand; NAME is one of the functions at the end."""
import struct
import sys

NULL, EMPTY, CONSTANT, UTF8, UTF16, LATIN1 = range(6)


class Writer:
    """The numbers and strings of a chunk."""

    def __init__(self, fixed=False):
        self.fixed, self.out = fixed, bytearray()

    def number(self, n, width=8):
        n &= (1 << 8 * width) - 1
        if self.fixed:
            self.out += n.to_bytes(width, 'big')
            return self
        for _ in range(8):
            if n < 128:
                self.out.append(n)
                return self
            self.out.append(n & 127 | 128)
            n >>= 7
        self.out.append(n)                      # the ninth byte has eight bits
        return self

    def int(self, n):
        return self.number(n, 4)

    def byte(self, n):
        self.out.append(n)
        return self

    def string(self, s, kind=UTF8):
        self.byte(kind)
        if kind == CONSTANT:
            return self.number(s)
        if kind == UTF16:
            units = struct.unpack('<%dH' % (len(s.encode('utf-16-le', 'surrogatepass')) // 2),
                                  s.encode('utf-16-le', 'surrogatepass'))
            self.int(len(units))
            for unit in units:
                self.number(unit, 2)
        elif kind in (UTF8, LATIN1):
            data = s.encode('utf-8' if kind == UTF8 else 'latin-1')
            self.int(len(data)).out += data
        return self


class Chunk:
    def __init__(self, fixed=False, base=20, inline=False, ticks=1000000000):
        self.fixed, self.base, self.inline, self.ticks, self.events = fixed, base, inline, ticks, []
        self.found = [None, None]               # which event has the metadata, and which the constants

    def id(self, name):
        return self.base + sorted(CLASSES).index(name)

    def writer(self):
        return Writer(self.fixed)

    def event(self, kind, body):
        """an event with its size, which is padded to four bytes where numbers are compressed"""
        typed = self.writer().number(kind if isinstance(kind, int) else self.id(kind)).out + body.out
        size = len(typed) + 4
        head = size.to_bytes(4, 'big') if self.fixed else bytes(
            [size & 127 | 128, size >> 7 & 127 | 128, size >> 14 & 127 | 128, size >> 21 & 127])
        self.events.append(head + typed)

    def metadata(self):
        strings, body = [], self.writer()

        def element(name, attributes, children):
            for s in (name,) + tuple(x for pair in attributes.items() for x in pair):
                if s not in strings:
                    strings.append(s)
            body.int(strings.index(name)).int(len(attributes))
            for key, value in attributes.items():
                body.int(strings.index(key)).int(strings.index(value))
            body.int(len(children))
            for child in children:
                element(*child)

        classes = []
        for name, fields in CLASSES.items():
            kids = []
            for field, kind, flags, *notes in fields:
                attributes = {'name': field, 'class': str(self.id(kind))}
                if flags == 'constant' and not (self.inline and field in ('stackTrace', 'eventThread')):
                    attributes['constantPool'] = 'true'
                if flags == 'array':
                    attributes['dimension'] = '1'
                kids.append(('field', attributes, [
                    ('annotation', {'class': str(self.id(note)), 'value': value}, []) for note, value in notes]))
            attributes = {'name': name, 'id': str(self.id(name))}
            if name in ('jdk.types.Symbol', 'jdk.types.FrameType'):
                attributes['simpleType'] = 'true'
            elif kids and '.jfr.' not in name and '.types.' not in name and not name.startswith('java.'):
                attributes['superType'] = 'jdk.jfr.Event'
            classes.append(('class', attributes, kids))
        self.found[0] = len(self.events)
        element('root', {}, [('metadata', {}, classes), ('region', {'locale': 'en'}, [])])
        whole = self.writer().number(0).number(0).number(1).int(len(strings))
        for s in strings:
            whole.string(s)
        whole.out += body.out
        self.event(0, whole)

    def constants(self, pools):
        """pools: class name to {key: what writes the value}"""
        body = self.writer().number(0).number(0).number(0).byte(1).int(len(pools))
        for name, pool in pools.items():
            body.number(self.id(name)).int(len(pool))
            for key, value in pool.items():
                body.number(key)
                value(body)
        self.found[1] = len(self.events)
        self.event(1, body)

    def bytes(self, size=None):
        data = b''.join(self.events)
        flags = 0 if self.fixed else 1
        offsets = [sum([68] + [len(e) for e in self.events[:i]]) if i is not None else 0 for i in self.found]
        return struct.pack('>4sHHqqqqqqqI', b'FLR\0', 2, 1, 68 + len(data) if size is None else size,
                           offsets[1], offsets[0], 1700000000 * 10**9, 10**9, 0, self.ticks, flags) + data


TICKS = ('jdk.jfr.Timespan', 'TICKS')
CLASSES = {
    'java.lang.String': [], 'long': [], 'int': [], 'short': [], 'byte': [], 'boolean': [], 'double': [],
    'jdk.jfr.Timespan': [('value', 'java.lang.String', '')],
    'jdk.jfr.DataAmount': [('value', 'java.lang.String', '')],
    'jdk.types.Symbol': [('string', 'java.lang.String', '')],
    'java.lang.Class': [('modifiers', 'int', ''), ('name', 'jdk.types.Symbol', 'constant')],
    'jdk.types.Method': [('type', 'java.lang.Class', 'constant'), ('name', 'jdk.types.Symbol', 'constant'),
                         ('descriptor', 'jdk.types.Symbol', 'constant')],
    'jdk.types.FrameType': [('description', 'java.lang.String', '')],
    'jdk.types.StackFrame': [('method', 'jdk.types.Method', 'constant'), ('lineNumber', 'int', ''),
                             ('bytecodeIndex', 'int', ''), ('type', 'jdk.types.FrameType', 'constant')],
    'jdk.types.StackTrace': [('truncated', 'boolean', ''), ('frames', 'jdk.types.StackFrame', 'array')],
    'java.lang.Thread': [('osName', 'java.lang.String', ''), ('osThreadId', 'long', ''),
                         ('javaName', 'java.lang.String', '')],
    'jdk.ExecutionSample': [('startTime', 'long', ''), ('sampledThread', 'java.lang.Thread', 'constant'),
                            ('stackTrace', 'jdk.types.StackTrace', 'constant')],
    'app.Grind': [('startTime', 'long', ''), ('duration', 'long', '', TICKS), ('load', 'double', ''),
                  ('eventThread', 'java.lang.Thread', 'constant'), ('note', 'java.lang.String', ''),
                  ('stackTrace', 'jdk.types.StackTrace', 'constant'),
                  ('grain', 'long', '', ('jdk.jfr.DataAmount', 'BYTES')), ('balance', 'short', ''),
                  ('sizes', 'int', 'array')],
}

SYMBOLS = {1: 'app/Mill', 2: 'grind', 3: 'main', 4: '()V', 5: 'libmill.so', 6: 'turn(int)', 7: '()L;',
           8: 'app/Mill$$Lambda$14+0x0000000800c03000/12', 9: 'run', 10: 'app/Mill$$Lambda/0x00007f1234', 11: 'sys_read',
           12: 'get'}
METHODS = {1: (1, 2, 4), 2: (1, 3, 4), 3: (5, 6, 7), 4: (8, 9, 4), 5: (10, 12, 4), 6: (5, 11, 4), 1 << 63 | 7: (1, 9, 4)}
STACKS = {1: (0, [1, 2]), 2: (0, [3, 4, 5, 2]), 3: (1, [1, 1]), 4: (0, [6, 1 << 63 | 7, 99]), 5: (0, [])}


def stack(key):
    def write(w):
        cut, frames = STACKS[key]
        w.byte(cut).int(len(frames))
        for i, method in enumerate(frames):
            w.number(method).int(10 + i).int(0).number(2 if method == 6 else 1)
    return write


def thread(os, java, kind):
    return lambda w: w.string(os).number(7).string(java, kind)


THREADS = {1: thread('main', 'main', UTF8), 2: thread('native', None, NULL), 3: thread('x', 'M\xfchle 2', LATIN1),
           4: thread('x', 'a;\U0001f33e\ud800', UTF16), 5: thread('x', 1, CONSTANT)}


def pools(c, names=SYMBOLS):
    result = {
        'java.lang.Class': {k: (lambda w, k=k: w.int(1).number(k)) for k in (1, 5, 8, 10)},
        'jdk.types.Symbol': {k: (lambda w, s=s: w.string(s)) for k, s in names.items()},
        'java.lang.String': {1: lambda w: w.string('by a constant')},
        'jdk.types.Method': {k: (lambda w, m=m: w.number(m[0]).number(m[1]).number(m[2])) for k, m in METHODS.items()},
        'jdk.types.FrameType': {1: lambda w: w.string('Interpreted'), 2: lambda w: w.string('Kernel')},
    }
    if not c.inline:
        result['jdk.types.StackTrace'] = {k: stack(k) for k in STACKS}
    result['java.lang.Thread'] = THREADS
    return result


def sample(c, time, thread_key, stack_key):
    c.event('jdk.ExecutionSample', c.writer().number(time).number(thread_key).number(stack_key))


def grind(c, time, thread_key, stack_key, ticks, grain, balance):
    w = c.writer().number(time).number(ticks)
    w.out += struct.pack('>d', 0.5)
    THREADS[thread_key](w) if c.inline else w.number(thread_key)
    w.string('note')
    stack(stack_key)(w) if c.inline else w.number(stack_key)
    w.number(grain).number(balance, 2).int(2).int(3).int(-4)
    c.event('app.Grind', w)


def events(c):
    if not c.inline:
        for time, key in enumerate((1, 2, 1, 1, 3)):
            sample(c, 1000 + time, key % 3 + 1, key)
    for time, key in enumerate((1, 2, 1)):
        grind(c, 2000 - time, key, key, 1500 * (key + 1), 4096, 7 - 4 * key)
    return c


def last(c, names=SYMBOLS):
    c.metadata()
    c.constants(pools(c, names))
    return c.bytes()


def plain():
    return last(events(Chunk()))


def good():
    c = Chunk()
    for key in (1, 2, 1):
        sample(c, key, 1, key)
    return last(c)


def fixed():
    return last(events(Chunk(fixed=True)))


def inline():
    return last(events(Chunk(inline=True)))


def first():
    c = Chunk(base=100)
    c.metadata()
    events(c).constants(pools(c))
    return c.bytes()


def slow():
    return last(events(Chunk(ticks=700)))


def names():
    c = Chunk()
    for key in (1, 2, 3, 4, 5, 9):
        sample(c, key, key, 4 if key == 4 else 2)
    return last(c)


def lost():
    """a stack that is not there, none, an empty one; a type that is unknown; one of type 0 that says nothing"""
    c = Chunk()
    for key in (1, 77, 0, 5, 3):
        sample(c, key, 1, key)
    c.event(999, c.writer().number(1).number(2))
    c.event(0, c.writer().number(1).number(2))
    return last(c)


def two():
    other = dict(SYMBOLS)
    other[2] = 'sift'
    return last(events(Chunk())) + last(events(Chunk(base=60)), other)


def unfinished():
    """a chunk of which nobody wrote how long it is, then another; then the start of one"""
    c = Chunk(base=40)
    c.metadata()
    events(c).constants(pools(c))
    return c.bytes(1 << 30) + plain() + plain()[:150]


def again():
    """types that come later, after events of them"""
    c = Chunk()
    whole, kept = dict(CLASSES), events(Chunk()).events
    c.metadata()
    early = c.events[0]
    c.events = []
    del CLASSES['app.Grind']
    ids = Chunk.id
    Chunk.id = lambda self, name: self.base + sorted(whole).index(name)
    c.metadata()
    Chunk.id = ids
    CLASSES.update(whole)
    c.events += kept + [early]
    c.constants(pools(c))
    return c.bytes()


def deep():
    """one stack of 20000 frames"""
    STACKS[1] = (0, [1] * 19999 + [2])
    c = Chunk()
    sample(c, 1, 1, 1)
    return last(c)


sys.stdout.buffer.write(globals()[sys.argv[1]]())

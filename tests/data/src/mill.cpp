// Document mill: makes documents, parses, checks, renders, indexes, packs and
// stores them. It exists to have deep and varied stacks.
//
// Compiled with -DAFTER it is the "after" version of a differential pair:
//   - Linker::resolve is slower (a fuzzy search, Linker::distance, is new),
//   - Store::checksum is gone,
//   - everything else is the same.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

#define KEEP __attribute__((noinline))

using std::size_t;
using std::string;
using std::vector;

// ---------------------------------------------------------------- documents

class Random {
    std::uint32_t state;

public:
    explicit Random(std::uint32_t seed) : state(seed * 2654435761u | 1u) {}
    unsigned below(unsigned limit)
    {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state % limit;
    }
};

class Author {
    Random random;
    string out;

    KEEP string word()
    {
        static const char *const parts[] = {"ka", "lo", "mi", "ter", "sun", "ing", "ed", "ra", "be", "tions"};
        string result;
        for (unsigned n = 2 + random.below(3); n > 0; n--)
            result += parts[random.below(10)];
        return result;
    }
    KEEP void formula(int depth)
    {
        if (depth == 0) {
            out += std::to_string(random.below(100));
            return;
        }
        out += random.below(3) ? "(" : "-(";
        formula(depth - 1);
        out += "+-*/"[random.below(4)];
        formula(depth - 1 - static_cast<int>(random.below(2)) * (depth > 1));
        out += ')';
    }
    KEEP void span(int depth)
    {
        static const char marks[] = "*_`";
        char mark = marks[random.below(3)];
        out += mark;
        sentence(depth - 1);
        out += mark;
    }
    KEEP void sentence(int depth)
    {
        for (unsigned n = 4 + random.below(6); n > 0; n--) {
            unsigned kind = random.below(12);
            if (depth > 0 && kind < 2)
                span(depth);
            else if (kind == 2)
                out += "[" + word() + "]";
            else
                out += word();
            out += ' ';
        }
    }
    KEEP void code()
    {
        out += "~";
        for (int i = 0; i < 12; i++)
            out += "for (" + word() + " = 0; i < 10; i++) return " + word() + "; ";
        out += "~\n";
    }
    KEEP void block(int depth)
    {
        switch (random.below(depth > 0 ? 6 : 3)) {
        case 0:
            out += "$";
            formula(6);
            out += "$\n";
            break;
        case 1:
            code();
            break;
        case 2:
            sentence(3);
            out += '\n';
            break;
        default:
            out += "{";
            for (int i = 0; i < 3; i++)
                block(depth - 1);
            out += "}\n";
        }
    }

public:
    explicit Author(unsigned seed) : random(seed) {}
    KEEP string write()
    {
        for (int i = 0; i < 6; i++)
            block(4);
        return std::move(out);
    }
};

// ------------------------------------------------------------------ parsing

struct Node {
    enum Kind { GROUP, PARAGRAPH, SPAN, TEXT, LINK, CODE, FORMULA, NUMBER, BINARY, NEGATE } kind;
    char mark = 0;
    double value = 0;
    string text;
    vector<std::unique_ptr<Node>> children;
    explicit Node(Kind k) : kind(k) {}
};
using Tree = std::unique_ptr<Node>;

class Parser {
    const string &source;
    size_t at = 0;

    char peek() const { return at < source.size() ? source[at] : '\0'; }

    KEEP Tree primary()
    {
        if (peek() == '(') {
            at++;
            Tree inner = sum();
            at++;
            return inner;
        }
        auto number = std::make_unique<Node>(Node::NUMBER);
        while (std::isdigit(static_cast<unsigned char>(peek())))
            number->value = number->value * 10 + (source[at++] - '0');
        return number;
    }
    KEEP Tree unary()
    {
        if (peek() != '-')
            return primary();
        at++;
        auto negate = std::make_unique<Node>(Node::NEGATE);
        negate->children.push_back(unary());
        return negate;
    }
    KEEP Tree product()
    {
        Tree left = unary();
        while (peek() == '*' || peek() == '/')
            left = join(std::move(left), source[at++], true);
        return left;
    }
    KEEP Tree sum()
    {
        Tree left = product();
        while (peek() == '+' || peek() == '-')
            left = join(std::move(left), source[at++], false);
        return left;
    }
    Tree join(Tree left, char mark, bool tight)
    {
        auto node = std::make_unique<Node>(Node::BINARY);
        node->mark = mark;
        node->children.push_back(std::move(left));
        node->children.push_back(tight ? unary() : product());
        return node;
    }
    KEEP void inlines(Node &parent, char stop)
    {
        while (peek() != stop && peek() != '\n' && peek() != '\0') {
            char c = peek();
            if (c == '*' || c == '_' || c == '`')
                parent.children.push_back(span());
            else
                parent.children.push_back(c == '[' ? until(Node::LINK, ']') : words());
        }
    }
    KEEP Tree span()
    {
        auto node = std::make_unique<Node>(Node::SPAN);
        node->mark = source[at++];
        inlines(*node, node->mark);
        at++;
        return node;
    }
    KEEP Tree words()
    {
        auto node = std::make_unique<Node>(Node::TEXT);
        size_t end = source.find_first_of("*_`[\n", at);
        node->text = source.substr(at, end - at);
        at += node->text.size();
        return node;
    }
    KEEP Tree until(Node::Kind kind, char stop)
    {
        auto node = std::make_unique<Node>(kind);
        size_t end = source.find(stop, at + 1);
        node->text = source.substr(at + 1, end - at - 1);
        at = end + 1;
        return node;
    }
    KEEP Tree block()
    {
        char c = peek();
        if (c == '{') {
            auto node = std::make_unique<Node>(Node::GROUP);
            at++;
            blocks(*node);
            at++;
            return node;
        }
        if (c == '$') {
            auto node = std::make_unique<Node>(Node::FORMULA);
            at++;
            node->children.push_back(sum());
            at++;
            return node;
        }
        if (c == '~')
            return until(Node::CODE, '~');
        auto node = std::make_unique<Node>(Node::PARAGRAPH);
        inlines(*node, '\n');
        return node;
    }
    KEEP void blocks(Node &parent)
    {
        while (peek() != '\0' && peek() != '}') {
            parent.children.push_back(block());
            while (peek() == '\n')
                at++;
        }
    }

public:
    explicit Parser(const string &text) : source(text) {}
    KEEP Tree parse()
    {
        auto root = std::make_unique<Node>(Node::GROUP);
        blocks(*root);
        return root;
    }
};

// ---------------------------------------------------------------- analysis

class Calculator {
    KEEP double apply(const Node &node)
    {
        double a = evaluate(*node.children[0]), b = evaluate(*node.children[1]);
        switch (node.mark) {
        case '+': return a + b;
        case '-': return a - b;
        case '*': return a * b;
        default: return b == 0 ? 0 : a / b;
        }
    }
    KEEP double evaluate(const Node &node)
    {
        if (node.kind == Node::NUMBER)
            return node.value;
        return node.kind == Node::NEGATE ? -evaluate(*node.children[0]) : apply(node);
    }

public:
    KEEP void visit(Node &node)
    {
        if (node.kind == Node::FORMULA)
            for (int precision = 0; precision < 4; precision++)
                node.value += evaluate(*node.children[0]);
        else
            for (auto &child : node.children)
                visit(*child);
    }
};

class Linker {
    std::unordered_map<string, int> titles;
    vector<string> ordered;

#ifdef AFTER
    KEEP static int distance(const string &a, const string &b)
    {
        int rows[2][32] = {};
        for (size_t j = 0; j <= b.size(); j++)
            rows[0][j] = static_cast<int>(j);
        for (size_t i = 1; i <= a.size(); i++) {
            int *above = rows[(i - 1) & 1], *row = rows[i & 1];
            row[0] = static_cast<int>(i);
            for (size_t j = 1; j <= b.size(); j++)
                row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
        }
        return rows[a.size() & 1][b.size()];
    }
    KEEP int resolve(const string &title)
    {
        int best = 0, best_distance = 1000;
        for (size_t i = 0; i < ordered.size(); i += 8) {
            int d = distance(title, ordered[i]);
            if (d < best_distance) {
                best_distance = d;
                best = static_cast<int>(i);
            }
        }
        return best;
    }
#else
    KEEP int resolve(const string &title)
    {
        auto found = titles.find(title);
        return found == titles.end() ? 0 : found->second;
    }
#endif
    KEEP void learn(const string &title)
    {
        if (titles.size() < 500 && titles.emplace(title, titles.size()).second)
            ordered.push_back(title);
    }

public:
    KEEP void visit(Node &node)
    {
        if (node.kind == Node::LINK) {
            learn(node.text);
            node.value = resolve(node.text);
        }
        for (auto &child : node.children)
            visit(*child);
    }
};

// --------------------------------------------------------------- rendering

class Highlighter {
    KEEP static bool keyword(const string &word)
    {
        static const char *const list[] = {"break", "case", "else", "for", "if", "return", "while"};
        return std::binary_search(std::begin(list), std::end(list), word);
    }
    KEEP static string token(const string &code, size_t &at)
    {
        size_t from = at++;
        if (std::isalpha(static_cast<unsigned char>(code[from])))
            while (at < code.size() && std::isalpha(static_cast<unsigned char>(code[at])))
                at++;
        return code.substr(from, at - from);
    }

public:
    KEEP static void highlight(const string &code, string &out)
    {
        for (size_t at = 0; at < code.size();) {
            string word = token(code, at);
            out += keyword(word) ? "<b>" + word + "</b>" : word;
        }
    }
};

class Renderer {
    string out;

    KEEP void escape(const string &text)
    {
        for (char c : text) {
            if (c == '<' || c == '&')
                out += c == '<' ? "&lt;" : "&amp;";
            else
                out += c;
        }
    }
    KEEP void number(double value) { out += std::to_string(value); }
    KEEP void children(const Node &parent)
    {
        for (auto &child : parent.children)
            node(*child);
    }
    KEEP void element(const char *tag, const Node &parent)
    {
        out.append("<").append(tag).append(">");
        children(parent);
        out.append("</").append(tag).append(">");
    }
    KEEP void node(const Node &n)
    {
        switch (n.kind) {
        case Node::GROUP: element("div", n); break;
        case Node::PARAGRAPH: element("p", n); break;
        case Node::SPAN: element(n.mark == '`' ? "code" : "em", n); break;
        case Node::TEXT: escape(n.text); break;
        case Node::LINK: number(n.value); escape(n.text); break;
        case Node::CODE: Highlighter::highlight(n.text, out); break;
        default: number(n.value);
        }
    }

public:
    KEEP string render(const Node &root)
    {
        node(root);
        return std::move(out);
    }
};

// ---------------------------------------------------------------- indexing

class Index {
    struct Branch {
        std::array<std::unique_ptr<Branch>, 26> next;
        unsigned count = 0;
    };
    Branch root;

    KEEP static void stem(string &word)
    {
        for (const char *suffix : {"tions", "ing", "ed"}) {
            string end = suffix;
            if (word.size() > end.size() + 2 && word.compare(word.size() - end.size(), end.size(), end) == 0) {
                word.resize(word.size() - end.size());
                return;
            }
        }
    }
    KEEP void insert(Branch &branch, const string &word, size_t at)
    {
        if (at == word.size() || at > 9) {
            branch.count++;
            return;
        }
        auto &next = branch.next[static_cast<size_t>(word[at] - 'a') % 26];
        if (!next)
            next = std::make_unique<Branch>();
        insert(*next, word, at + 1);
    }
    KEEP static void quick_sort(vector<string> &words, long low, long high)
    {
        if (low >= high)
            return;
        long i = low, j = high;
        string pivot = words[static_cast<size_t>((low + high) / 2)];
        while (i <= j) {
            while (words[static_cast<size_t>(i)] < pivot)
                i++;
            while (pivot < words[static_cast<size_t>(j)])
                j--;
            if (i <= j)
                words[static_cast<size_t>(i++)].swap(words[static_cast<size_t>(j--)]);
        }
        quick_sort(words, low, j);
        quick_sort(words, i, high);
    }
    KEEP void collect(const Node &node, vector<string> &words)
    {
        for (size_t at = 0; at < node.text.size();) {
            size_t end = std::min(node.text.find(' ', at), node.text.size());
            if (end > at)
                words.push_back(node.text.substr(at, end - at));
            at = end + 1;
        }
        for (auto &child : node.children)
            collect(*child, words);
    }

public:
    KEEP void add(const Node &tree)
    {
        vector<string> words;
        collect(tree, words);
        for (auto &word : words)
            stem(word);
        quick_sort(words, 0, static_cast<long>(words.size()) - 1);
        for (auto &word : words)
            insert(root, word, 0);
    }
};

// ----------------------------------------------------------------- packing

class Packer {
    vector<int> heads = vector<int>(4096, -1), previous;

    struct Code {
        unsigned weight;
        int symbol;
        std::unique_ptr<Code> zero, one;
    };
    std::array<string, 256> codes;

    KEEP static size_t match_length(const string &in, size_t a, size_t b)
    {
        size_t n = 0;
        while (b + n < in.size() && n < 200 && in[a + n] == in[b + n])
            n++;
        return n;
    }
    KEEP size_t find_match(const string &in, size_t at, size_t &distance)
    {
        size_t best = 0;
        unsigned key = (static_cast<unsigned char>(in[at]) * 331u ^ static_cast<unsigned char>(in[at + 1]) * 31u ^
                        static_cast<unsigned char>(in[at + 2])) % 4096;
        int tries = 12;
        for (int i = heads[key]; i >= 0 && tries-- > 0; i = previous[static_cast<size_t>(i)]) {
            size_t n = match_length(in, static_cast<size_t>(i), at);
            if (n > best) {
                best = n;
                distance = at - static_cast<size_t>(i);
            }
        }
        previous[at] = heads[key];
        heads[key] = static_cast<int>(at);
        return best;
    }
    KEEP string squeeze(const string &in)
    {
        string out;
        previous.assign(in.size(), -1);
        for (size_t at = 0; at + 3 < in.size();) {
            size_t distance = 0, n = find_match(in, at, distance);
            if (n > 3) {
                out += '\x01';
                out += static_cast<char>(n);
                out += static_cast<char>(distance);
                out += static_cast<char>(distance >> 8);
                at += n;
            } else {
                out += in[at++];
            }
        }
        return out;
    }
    KEEP void assign(const Code &code, const string &prefix)
    {
        if (!code.zero) {
            codes[static_cast<size_t>(code.symbol)] = prefix;
            return;
        }
        assign(*code.zero, prefix + '0');
        assign(*code.one, prefix + '1');
    }
    KEEP void build(const string &in)
    {
        vector<std::unique_ptr<Code>> heap(256);
        for (int i = 0; i < 256; i++)
            heap[static_cast<size_t>(i)].reset(new Code{1, i, nullptr, nullptr});
        for (char c : in)
            heap[static_cast<unsigned char>(c)]->weight++;
        auto heavier = [](const auto &a, const auto &b) { return a->weight > b->weight; };
        std::make_heap(heap.begin(), heap.end(), heavier);
        while (heap.size() > 1) {
            std::pop_heap(heap.begin(), heap.end(), heavier);
            auto one = std::move(heap.back());
            heap.pop_back();
            std::pop_heap(heap.begin(), heap.end(), heavier);
            auto zero = std::move(heap.back());
            heap.back().reset(new Code{one->weight + zero->weight, 0, std::move(zero), std::move(one)});
            std::push_heap(heap.begin(), heap.end(), heavier);
        }
        assign(*heap.front(), "");
    }
    KEEP string emit(const string &in)
    {
        string out;
        unsigned bits = 0, count = 0;
        for (char c : in)
            for (char bit : codes[static_cast<unsigned char>(c)]) {
                bits = bits << 1 | (bit == '1');
                if (++count % 8 == 0)
                    out += static_cast<char>(bits);
            }
        return out;
    }

public:
    KEEP string pack(const string &in)
    {
        string squeezed = squeeze(in);
        build(squeezed);
        return emit(squeezed);
    }
};

class Store {
    int fd;

#ifndef AFTER
    KEEP static std::uint32_t checksum(const string &data)
    {
        std::uint32_t crc = ~0u;
        for (char c : data) {
            crc ^= static_cast<unsigned char>(c);
            for (int bit = 0; bit < 8; bit++)
                crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
        }
        return ~crc;
    }
#endif

public:
    Store()
    {
        char name[] = "/tmp/mill-XXXXXX";
        fd = mkstemp(name);
        unlink(name);
    }
    ~Store() { close(fd); }
    KEEP void save(const string &page, const string &packed)
    {
        string line = std::to_string(page.size()) + "\n";
#ifndef AFTER
        line += std::to_string(checksum(page));
#endif
        for (size_t at = 0; at < packed.size(); at += 64)
            if (pwrite(fd, packed.data() + at, std::min<size_t>(64, packed.size() - at), static_cast<off_t>(at)) < 0)
                std::abort();
        if (pwrite(fd, line.data(), line.size(), 0) < 0)
            std::abort();
    }
};

// -------------------------------------------------------------------- main

class Mill {
    Linker linker;
    Index index;
    Store store;

    KEEP void check(Node &tree)
    {
        Calculator().visit(tree);
        linker.visit(tree);
    }
    KEEP void publish(const Node &tree)
    {
        string page = Renderer().render(tree);
        store.save(page, Packer().pack(page));
    }

public:
    KEEP void process(unsigned number)
    {
        string text = Author(number).write();
        Tree tree = Parser(text).parse();
        check(*tree);
        index.add(*tree);
        publish(*tree);
    }
};

int main(int argc, char **argv)
{
    unsigned documents = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1000;
    Mill mill;
    for (unsigned i = 1; i <= documents; i++)
        mill.process(i);
}

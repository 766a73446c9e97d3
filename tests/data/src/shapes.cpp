// C++ names that are hard to read: templates, anonymous namespaces at top
// level, operator(), operator->, std::function and lambdas.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define KEEP __attribute__((noinline))

volatile std::uint64_t sink;

static inline std::uint64_t stir(std::uint64_t x, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        x ^= x << 7;
        x ^= x >> 9;
    }
    return x;
}

namespace {

KEEP std::uint64_t churn(std::uint64_t x) { return stir(x, 600); }

template <typename T> struct Matrix {
    std::vector<T> cells;
    int side;
    explicit Matrix(int n) : cells(static_cast<std::size_t>(n * n), T(1)), side(n) {}
    KEEP T operator()(int row, int column) const
    {
        return static_cast<T>(stir(static_cast<std::uint64_t>(row + column + 1), 20)) +
               cells[static_cast<std::size_t>(row * side + column)];
    }
    KEEP T trace() const
    {
        T sum = 0;
        for (int i = 0; i < side; i++)
            sum += (*this)(i, i);
        return sum;
    }
};

template <typename T> class Handle {
    std::unique_ptr<T> target;

public:
    explicit Handle(T *t) : target(t) {}
    KEEP T *operator->() const
    {
        sink = stir(reinterpret_cast<std::uintptr_t>(target.get()), 600);
        return target.get();
    }
};

struct Less {
    KEEP bool operator()(const std::string &a, const std::string &b) const { return stir(a.size(), 9) && a < b; }
};

class Shape {
public:
    virtual ~Shape() = default;
    virtual double area(int detail) const = 0;
};

template <int Corners> class Polygon : public Shape {
public:
    KEEP double area(int detail) const override
    {
        sink = churn(static_cast<std::uint64_t>(detail * Corners));
        return Corners * 0.5;
    }
};

} // namespace

namespace geometry {
namespace {

KEEP void each(int count, const std::function<void(int)> &visit)
{
    for (int i = 0; i < count; i++)
        visit(i);
}

template <typename Compare> KEEP void sort_words(std::vector<std::string> &words, Compare compare)
{
    std::sort(words.begin(), words.end(), compare);
}

} // namespace

KEEP void run(int round)
{
    Matrix<double> doubles(64);
    Matrix<unsigned long> longs(64);
    Handle<Shape> triangle(new Polygon<3>);
    Handle<Shape> hexagon(new Polygon<6>);

    each(40, [&](int i) {
        sink = static_cast<std::uint64_t>(doubles.trace()) + longs.trace();
        sink = static_cast<std::uint64_t>(triangle->area(i) + hexagon->area(i));
    });

    std::vector<std::string> words;
    for (int i = 0; i < 300; i++)
        words.push_back(std::to_string(stir(static_cast<std::uint64_t>(i + round), 3)));
    sort_words(words, Less());
    sort_words(words, [](const std::string &a, const std::string &b) { return a.back() > b.back(); });

    std::map<std::string, std::function<std::uint64_t(std::uint64_t)>> steps;
    steps["once"] = [](std::uint64_t x) { return churn(x); };
    steps["twice"] = [&steps](std::uint64_t x) { return steps["once"](steps["once"](x)); };
    for (const auto &word : words)
        sink = steps[word.size() % 8 ? "once" : "twice"](word.size());
}

} // namespace geometry

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
    for (int i = 0; i < rounds; i++)
        geometry::run(i);
}

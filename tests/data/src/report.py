"""A small report generator: classes, recursion, generators, closures.

SPDX-License-Identifier: MIT
"""
import json
import re
import sys


class Node:
    def __init__(self, name, children):
        self.name = name
        self.children = children

    def total(self):
        return len(self.name) + sum(child.total() for child in self.children)

    def walk(self, depth=0):
        yield depth, self.name
        for child in self.children:
            yield from child.walk(depth + 1)


def grow(depth, name):
    return Node(name, [grow(depth - 1, f"{name}.{i}") for i in range(3)] if depth else [])


def make_filter(pattern):
    regex = re.compile(pattern)

    def keep(row):
        return regex.search(row[1]) is not None

    return keep


def render(tree):
    rows = sorted(filter(make_filter(r"[12]$"), tree.walk()), key=lambda row: row[1][::-1])
    return json.dumps([{"depth": depth, "name": name} for depth, name in rows])


def main():
    size = 0
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 300):
        tree = grow(5, "root")
        size += tree.total() + len(json.loads(render(tree)))
    print(size > 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Merges the profiles of a fleet with Apache Spark, group by group, and draws them.

    spark-submit fold_fleet.py --input 'hdfs:///profiles/*/*/*.folded.gz' \\
        --labels '(?P<service>[^/]+)/(?P<day>[^/]+)/[^/]+$' --diff day=monday..tuesday --out pages

Reads whatever filter-folded reads, from all file systems that Spark knows; its programs are on
the PATH of the driver and of each worker. Folding is a map, merging is associative: files are folded where
they are read, then merged by key in a tree, and the result is that of one filter-folded over all
of a group's files. --out is a folder of the driver: KEY.folded, KEY.svg, and of --diff KEY.diff.svg.
With --master 'local[*]' all of it runs on this machine.
"""
import argparse
import gzip
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import urllib.parse

from pyspark.sql import SparkSession

FAN_IN = 64


def run(command, folder, *names):
    """What a program of flamepipe writes about files of a folder. Its failure is ours, and Spark tries again."""
    return subprocess.run(
        [*command, "--", *names], cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ).stdout


def is_empty(data):
    """Whether a file holds nothing, as where nothing was recorded: among others that is no failure."""
    return not (gzip.GzipFile(fileobj=io.BytesIO(data)).read(1) if data.startswith(b"\x1f\x8b") else data)


def merged(profiles, options=()):
    """The profiles, each a text of bytes, as one; of nothing, nothing."""
    profiles = [profile for profile in profiles if not is_empty(profile)]
    if not profiles:
        return b""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for number, profile in enumerate(profiles):
            names.append(str(number))
            with open(os.path.join(folder, names[-1]), "wb") as file:
                file.write(profile)
        return run(["filter-folded", *options], folder, *names)


def key_of(path, labels):
    """The labels of a file, as (name, value) pairs, or None for one that has none."""
    # Hadoop encodes nothing: a folder may be called c#.
    found = re.search(labels, re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*:(//[^/]*)?", "", path))
    return tuple(sorted(found.groupdict("").items())) if found else None


def folder_of(labels, options):
    """A function of a partition: folds each file, and merges those of a key."""

    def fold(files):
        groups = {}
        for path, data in files:
            key = key_of(path, labels)
            if key is None:
                continue
            group = groups.setdefault(key, [])
            group.append(merged([data], options))
            if len(group) >= FAN_IN:
                group[:] = [merged(group)]
        for key, group in groups.items():
            yield key, merged(group)

    return fold


def tree(folded, partitions):
    """One profile a key: in rounds, each of which merges FAN_IN of a key's at most."""
    slots = folded.mapPartitionsWithIndex(lambda slot, rows: (((key, slot), profile) for key, profile in rows))
    while partitions > 1:
        partitions = -(-partitions // FAN_IN)
        slots = slots.map(lambda row: ((row[0][0], row[0][1] // FAN_IN), row[1])).groupByKey().mapValues(merged)
    return slots.map(lambda row: (row[0][0], row[1]))


def name_of(key):
    """A key as the name of a file."""
    return "+".join(f"{name}={urllib.parse.quote(value, safe='')}" for name, value in key) or "all"


def draw(out, name, title, folded):
    """Writes NAME.folded and NAME.svg."""
    with open(os.path.join(out, name + ".folded"), "wb") as file:
        file.write(folded)
    run(["flamegraph", "--title", title, "-o", name + ".svg"], out, name + ".folded")


def compare(out, keys, what):
    """Draws what changed from one value of a label to another, where the other labels are the same."""
    label, _, values = what.partition("=")
    before, _, after = values.partition("..")
    newer = sorted(key for key in keys if dict(key).get(label) == after)
    if not newer:
        print(f"no group has {label}={after}, which --diff names", file=sys.stderr)
    for key in newer:
        older = tuple(sorted({**dict(key), label: before}.items()))
        if older not in keys:
            print(f"{name_of(key)}: nothing of {label}={before} to compare with", file=sys.stderr)
            continue
        diff = run(["diff-folded", "-n"], out, name_of(older) + ".folded", name_of(key) + ".folded")
        with tempfile.NamedTemporaryFile() as file:
            file.write(diff)
            file.flush()
            target = os.path.abspath(os.path.join(out, name_of(key) + ".diff.svg"))
            run(["flamegraph", "--title", f"{before} and {after}", "-o", target], out, file.name)


def arguments():
    """What the command line says; ends the program where that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--input", required=True, help="files, a glob of a file system that Spark knows")
    parser.add_argument("--labels", default="", help="a regular expression of paths with named groups (default one group)")
    parser.add_argument("--diff", metavar="LABEL=OLD..NEW", help="also draw what changed")
    parser.add_argument("--options", default="", help="of filter-folded, for each file, as '--ignore ^swapper$'")
    parser.add_argument("--last", default="", help="of filter-folded, for the whole, as '--min-percent 0.05'")
    parser.add_argument("--partitions", type=int, default=0, help="how many parts the files are read in (default Spark's)")
    parser.add_argument("--master", help="where it runs (default as spark-submit says)")
    parser.add_argument("--out", required=True, help="folder of the results, on the driver")
    args = parser.parse_args()
    try:
        names = re.compile(args.labels).groupindex
    except re.error as error:
        parser.error(f"--labels: {error}")
    if args.diff and not re.fullmatch(r"[^=]+=.*\.\..*", args.diff):
        parser.error("--diff takes LABEL=OLD..NEW")
    if args.diff and args.diff.partition("=")[0] not in names:
        parser.error("--diff: no group of --labels has that name")
    return args


def main():
    args = arguments()
    builder = SparkSession.builder.appName("flamepipe")
    if args.master:
        builder = builder.master(args.master)
    spark = builder.getOrCreate()
    os.makedirs(args.out, exist_ok=True)
    files = spark.sparkContext.binaryFiles(args.input, args.partitions or None)
    fold = folder_of(args.labels, shlex.split(args.options))
    folded = files.mapPartitions(fold)
    keys = set()
    for key, profile in tree(folded, files.getNumPartitions()).toLocalIterator():
        profile = merged([profile], shlex.split(args.last))
        if not profile:
            print(f"{name_of(key)}: nothing is left", file=sys.stderr)
            continue
        keys.add(key)
        title = ", ".join(value for _, value in key) or "All"
        draw(args.out, name_of(key), title, profile)
    if args.diff:
        compare(args.out, keys, args.diff)
    spark.stop()
    return 0 if keys else 1


if __name__ == "__main__":
    sys.exit(main())

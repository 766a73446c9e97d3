#!/usr/bin/env python3
"""Merges the profiles of a fleet with Apache Spark, group by group, and draws them.

    spark-submit fold_fleet.py --input 'hdfs:///profiles/*/*/*.folded.gz' \\
        --labels '(?P<service>[^/]+)/(?P<day>[^/]+)/[^/]+$' --diff day=monday..tuesday --out pages

Reads all files that filter-folded reads, from all file systems that Spark knows. The programs of
flamepipe must be on the PATH of the driver and of each worker. Each worker folds the files that it
reads, and the results are merged by key in a tree. The result is the same as that of one
filter-folded over all files of a group. --out is a folder of the driver. It gets KEY.folded, KEY.svg
and, with --diff, KEY.diff.svg. With --master 'local[*]', everything runs on this machine.
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
    """Returns what a program of flamepipe writes about files of a folder. If it fails, Spark tries again."""
    return subprocess.run(
        [*command, "--", *names], cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ).stdout


def is_empty(data):
    """Returns True if a file is empty because nothing was recorded, which is not a failure."""
    return not (gzip.GzipFile(fileobj=io.BytesIO(data)).read(1) if data.startswith(b"\x1f\x8b") else data)


def merged(profiles, options=()):
    """Merges profiles, each of which is bytes. Returns b"" if all of them are empty."""
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
    """Returns the labels in a path as (name, value) pairs, or None if the path does not match."""
    # Hadoop does not encode paths: a folder may be called c#.
    found = re.search(labels, re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*:(//[^/]*)?", "", path))
    return tuple(sorted(found.groupdict("").items())) if found else None


def folder_of(labels, options):
    """Returns a function for a partition, which folds each file and merges the files of each key."""

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
    """Merges the profiles of each key into one, in rounds that merge at most FAN_IN profiles at once."""
    slots = folded.mapPartitionsWithIndex(lambda slot, rows: (((key, slot), profile) for key, profile in rows))
    while partitions > 1:
        partitions = -(-partitions // FAN_IN)
        slots = slots.map(lambda row: ((row[0][0], row[0][1] // FAN_IN), row[1])).groupByKey().mapValues(merged)
    return slots.map(lambda row: (row[0][0], row[1]))


def name_of(key):
    """Returns the name of a file for a key."""
    return "+".join(f"{name}={urllib.parse.quote(value, safe='')}" for name, value in key) or "all"


def draw(out, name, title, folded):
    """Writes NAME.folded and NAME.svg."""
    with open(os.path.join(out, name + ".folded"), "wb") as file:
        file.write(folded)
    run(["flamegraph", "--title", title, "-o", name + ".svg"], out, name + ".folded")


def compare(out, keys, what):
    """Draws what changed from one value of a label to another, for groups whose other labels are equal."""
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
    """Parses the command line. Ends the program if it is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--input", required=True, help="the files: a glob, on any file system that Spark knows")
    parser.add_argument("--labels", default="", help="a regular expression for paths; its named groups are labels (default: no labels)")
    parser.add_argument("--diff", metavar="LABEL=OLD..NEW", help="also draw what changed")
    parser.add_argument("--options", default="", help="options of filter-folded for each file, such as '--ignore ^swapper$'")
    parser.add_argument("--last", default="", help="options of filter-folded for the result, such as '--min-percent 0.05'")
    parser.add_argument("--partitions", type=int, default=0, help="number of parts in which files are read (default: Spark chooses)")
    parser.add_argument("--master", help="where to run (default: as spark-submit says)")
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

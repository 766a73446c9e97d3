#!/usr/bin/env python3
"""make.py: makes the recordings in this folder.

They hold what perf records only in certain versions, or with privileges, made up by
include/uapi/linux/perf_event.h and tools/perf of Linux:

threads.data   perf record -e '{cpu-clock,page-faults}:S' after perf 6.12: threads inherit
               the counters, and each has its own
shared.data    the same samples as if threads shared the counters, so that they fall
waits.data     perf record --off-cpu: waits that the kernel wrote, and one that perf added up
inject.stream  perf inject -j -B: mappings of guests, no ends of rounds
"""

import os
import struct

INHERIT, SAMPLE_ID_ALL = 1 << 1, 1 << 18
IDENTIFIER, IP, TID, TIME, READ, CHAIN, RAW, PERIOD, CPU = (
    1 << 16, 1, 2, 4, 16, 32, 1 << 10, 1 << 8, 1 << 7)
READ_ID, READ_GROUP = 4, 8
MMAP2, COMM, FORK, SAMPLE, ATTR, EVENT_UPDATE = 10, 3, 7, 9, 64, 78
IN_USER = 2**64 - 512
MILL = 0x400000


def text(value):
    out = value.encode() + b"\0"
    return out + bytes(-len(out) % 8)


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def attr(config, sample_type, read_format=0, flags=0):
    return struct.pack("<IIQQQQQ", 1, 128, config, 1, sample_type, read_format,
                       SAMPLE_ID_ALL | flags) + bytes(80)


def kernels(kind, misc, body, sample_type, thread, time):
    """A record of the kernel, with the fields of a sample at its end."""
    end = struct.pack("<IIQ", *thread, time)
    end += struct.pack("<Q", 0) if sample_type & CPU else b""
    return record(kind, misc, body + end + struct.pack("<Q", 1))


def mapped(sample_type, pid, time, misc=2):
    body = struct.pack("<IIQQQIIQQII", pid, pid, MILL, 0x1000, 0, 0, 0, 0, 0, 5, 2)
    return kernels(MMAP2, misc, body + text("/nonexistent/mill"), sample_type, (pid, pid), time)


def named(sample_type, pid, time):
    body = struct.pack("<II", pid, pid) + text("mill")
    return kernels(COMM, 0, body, sample_type, (pid, pid), time)


def forked(sample_type, pid, tid, time):
    body = struct.pack("<IIIIQ", pid, pid, tid, pid, time)
    return kernels(FORK, 0, body, sample_type, (pid, pid), time)


def events(attrs):
    """A section that names the events, whose ids are 1, 2, ..."""
    out = struct.pack("<II", len(attrs), 128)
    for i, (name, what) in enumerate(attrs):
        padded = text(name)
        out += what + struct.pack("<II", 1, len(padded)) + padded + struct.pack("<Q", 1 + i)
    return out


def file_of(attrs, records):
    at = 104 + 8 * len(attrs)
    data = at + 144 * len(attrs)
    out = b"PERFILE2" + struct.pack("<QQQQQQQQQQQQ", 104, 144, at, 144 * len(attrs), data,
                                    len(records), 0, 0, 1 << 12, 0, 0, 0)
    out += b"".join(struct.pack("<Q", 1 + i) for i in range(len(attrs)))
    for i, (_, what) in enumerate(attrs):
        out += what + struct.pack("<QQ", 104 + 8 * i, 8)
    section = events(attrs)
    return out + records + struct.pack("<QQ", data + len(records) + 16, len(section)) + section


def stream_of(attrs, records):
    out = b"PERFILE2" + struct.pack("<Q", 16)
    for i, (name, what) in enumerate(attrs):
        out += record(ATTR, 0, what + struct.pack("<Q", 1 + i))
        out += record(EVENT_UPDATE, 0, struct.pack("<QQ", 2, 1 + i) + text(name))
    return out + records


def counted(flags):
    kind = IDENTIFIER | IP | TID | TIME | READ | CHAIN
    names = (("cpu-clock", 0), ("page-faults", 2))
    attrs = [(n, attr(c, kind, READ_ID | READ_GROUP, flags)) for n, c in names]
    out = named(kind, 5, 1000) + mapped(kind, 5, 2000) + forked(kind, 5, 6, 3000)
    for time, tid, clock, faults in ((10**6, 5, 900000, 7), (2 * 10**6, 6, 400000, 1),
                                     (3 * 10**6, 5, 1900000, 8), (4 * 10**6, 6, 1400000, 1)):
        body = struct.pack("<QQIIQ", 1, MILL + 16 * tid, 5, tid, time)
        body += struct.pack("<QQQQQ", 2, clock, 1, faults, 2)
        out += record(SAMPLE, 2, body + struct.pack("<QQQ", 2, IN_USER, MILL + 16 * tid))
    return file_of(attrs, out)


def waits():
    kind = IDENTIFIER | IP | TID | TIME | CPU | PERIOD | RAW
    out = named(kind, 5, 1000) + mapped(kind, 5, 2000) + forked(kind, 5, 6, 3000)
    for ip, runs, time, first, second, wait in (
            (2**64 - 2**30, (0, 0), 10**9, 6, 5, 700000000),
            (2**64 - 2**30, (9, 9), 2 * 10**9, 6, 5, 800000000),
            (0, (0, 0), 2**64 - 2**32, 5, 6, 40000000)):
        raw = struct.pack("<IIQQQQQ", first, second, wait, 2, IN_USER, MILL + 32, 0)
        body = struct.pack("<QQIIQQQ", 1, ip, *runs, time, 0, 0)
        out += record(SAMPLE, 2, body + struct.pack("<I", len(raw) + 4) + raw + bytes(4))
    return file_of([("offcpu-time", attr(10, kind))], out)


def injected():
    kind = IDENTIFIER | IP | TID | TIME | CHAIN
    out = named(kind, 5, 1000) + mapped(kind, 5, 2000, misc=5)
    for time in (3000, 4000):
        body = struct.pack("<QQIIQ", 1, MILL + 16, 5, 5, time)
        out += record(SAMPLE, 2, body + struct.pack("<QQQ", 2, IN_USER, MILL + 16))
    return stream_of([("cpu-clock", attr(0, kind))], out)


here = os.path.dirname(os.path.abspath(__file__))
for file, content in (("threads.data", counted(INHERIT)), ("shared.data", counted(0)),
                      ("waits.data", waits()), ("inject.stream", injected())):
    with open(os.path.join(here, file), "wb") as out:
        out.write(content)

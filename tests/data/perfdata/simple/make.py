#!/usr/bin/env python3
"""make.py: makes fields.data and messages.data in this folder.

They are recordings as simpleperf of Android makes them, made up, by the layout in
simpleperf/record_file_format.h and record_file.proto of system/extras: a chain through
the kernel, a module of it, code that was compiled at run time, a file of bytecode, two
libraries, of which one has no symbols. What they have in common but the section with
the symbols, of older versions and of those since 2022, is the same.
"""

import os
import struct

KERNEL, MODULE, ELF, DEX = range(4)
KERNEL_MISC, USER_MISC = 1, 2
READ, EXECUTE, COMPILED = 1, 4, 0x4000
KERNELS = 0xFFFFFFC000080000
LOADED = 0xFFFFFFC001000000
LIBRARY, BYTECODE, PLAIN, CACHE = 0x7000201000, 0x7100000000, 0x7200000000, 0x9CE00000

# Path, type, address that the code starts at, where that is, symbols.
FILES = [
    ("[kernel.kallsyms]", KERNEL, 0, None, [
        (KERNELS + 0x100, 0x40, "el0_svc"),
        (KERNELS + 0x200, 0x80, "vfs_read"),
        (LOADED + 0x2000, 0x40, "listed [wlan]"),
    ]),
    ("/vendor/lib/modules/wlan.ko", MODULE, 0x40, 0x1000, [(0x80, 0x20, "wlan_poll")]),
    ("/system/lib64/libmill.so", ELF, 0x21000, 0x1000, [
        (0x21100, 0x40, "_ZN4mill5Wheel4turnEv"),
        (0x21200, 0x40, "start_here"),
    ]),
    ("/system/framework/mill.jar", DEX, 0, None, [(0x500, 0x20, "com.mill.Main.run")]),
    ("/data/local/tmp/perf.data_jit_app_cache:0-784", ELF, 0, 0, [
        (CACHE + 0x10, 0x20, "com.mill.Stone.grind"),
    ]),
    ("/vendor/lib64/libplain.so", ELF, 0x1000, 0x1000, []),
]

MAPS = [
    (-1, KERNEL_MISC, KERNELS, 0x800000, 0, 0, "[kernel.kallsyms]"),
    (-1, KERNEL_MISC, LOADED, 0x4000, 0, 0, "/vendor/lib/modules/wlan.ko"),
    (5, USER_MISC, LIBRARY - 0x1000, 0x1000, 0, READ, "/system/lib64/libmill.so"),
    (5, USER_MISC, LIBRARY, 0x1000, 0x1000, READ | EXECUTE, "/system/lib64/libmill.so"),
    (5, USER_MISC, BYTECODE, 0x1000, 0, READ, "/system/framework/mill.jar"),
    (5, USER_MISC, PLAIN, 0x1000, 0, READ | EXECUTE, "/vendor/lib64/libplain.so"),
    (5, USER_MISC, CACHE, 0x100, 0x300, COMPILED,
     "/data/local/tmp/perf.data_jit_app_cache:0-784"),
]

IN_KERNEL, IN_USER = 2**64 - 128, 2**64 - 512
CHAINS = [
    [IN_KERNEL, KERNELS + 0x210, LOADED + 0x1050, LOADED + 0x2010, KERNELS + 0x110,
     IN_USER, CACHE + 0x20, BYTECODE + 0x510, LIBRARY + 0x110, LIBRARY + 0x210],
    [IN_USER, PLAIN + 0x10, LIBRARY + 0x210],
    [IN_USER, PLAIN + 0x20, LIBRARY + 0x210],
]


def text(value):
    return value.encode() + b"\0"


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def number(field, value):
    return varint(field << 3) + varint(value)


def block(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def fields(path, kind, first, offset, symbols):
    out = text(path) + struct.pack("<IQI", kind, first, len(symbols))
    for start, size, name in symbols:
        out += struct.pack("<QI", start, size) + text(name)
    if kind == DEX:
        out += struct.pack("<IQ", 1, 0)
    return out if offset is None else out + struct.pack("<Q", offset)


def message(path, kind, first, offset, symbols):
    out = block(1, path.encode()) + number(2, kind) + number(3, first)
    for start, size, name in symbols:
        out += block(4, number(1, start) + number(2, size) + block(3, name.encode()))
    if kind == DEX:
        return out + block(5, number(1, 0))
    return out if offset is None else out + block(6 if kind == ELF else 7, number(1, offset))


def records():
    out = record(3, 0, struct.pack("<II", 5, 5) + text("mill").ljust(8, b"\0"))
    for pid, misc, start, size, offset, prot, name in MAPS:
        body = struct.pack("<iiQQQ", pid, pid, start, size, offset)
        body += bytes(24) + struct.pack("<II", prot, 0)
        name = text(name)
        out += record(10, misc, body + name.ljust((len(name) + 7) // 8 * 8, b"\0"))
    for chain in CHAINS:
        body = struct.pack("<QIIQQ", chain[1], 5, 5, 250000, len(chain))
        misc = KERNEL_MISC if chain[0] == IN_KERNEL else USER_MISC
        out += record(9, misc, body + struct.pack("<%dQ" % len(chain), *chain))
    return out


def recording(section, encode):
    header_size, attr_size = 104, 112
    # Software event 0, cpu-clock; ip, tid, period, callchain.
    attr = struct.pack("<IIQQQQ", 1, attr_size, 0, 250000, 1 | 2 | 256 | 32, 0)
    attr = attr.ljust(attr_size, b"\0") + struct.pack("<QQ", 0, 0)
    data = records()
    files = b""
    for file in FILES:
        encoded = encode(*file)
        files += struct.pack("<I", len(encoded)) + encoded
    out = b"PERFILE2" + struct.pack("<QQ", header_size, attr_size + 16)
    out += struct.pack("<QQ", header_size, len(attr))
    out += struct.pack("<QQQQ", header_size + len(attr), len(data), 0, 0)
    out += (1 << section).to_bytes(32, "little")
    out += attr + data
    return out + struct.pack("<QQ", len(out) + 16, len(files)) + files


here = os.path.dirname(os.path.abspath(__file__))
for name, section, encode in (("fields", 128, fields), ("messages", 132, message)):
    with open(os.path.join(here, name + ".data"), "wb") as out:
        out.write(recording(section, encode))

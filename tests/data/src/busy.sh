#!/bin/sh
# Keeps the kernel busy: file writes, a tree walk, pipes, many short processes.
# Run in a folder that has a folder "files" with some text files.
# SPDX-License-Identifier: MIT
dd if=/dev/zero of=zeros bs=4k count=150000 conv=fsync
find /usr/share -name '*.so' -size +1k
tar cf - files | gzip -1 | dd of=files.tgz bs=512
i=0
while [ $i -lt 400 ]; do
    /bin/true
    i=$((i + 1))
done
rm -r zeros files files.tgz

collapse-perf: input:3: 2 lines were not understood, the first is here: 'addr2line: DWARF error: could not find variable specification at offset 0x12'

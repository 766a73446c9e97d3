# For tests that need an optional library, or the kernel's permission to record.
# shellcheck shell=bash

# needs_library NAME... : skips if the machine lacks one, because the programs are then
# built without it.
needs_library()
{
	local name
	for name; do
		"${PKG_CONFIG:-pkg-config}" --exists "$name" || skip "no $name"
	done
}

# needs_recorder : skips if record-perf may not record here.
needs_recorder()
{
	"$BIN/record-perf" -q -e cpu-clock -o /dev/null -- true > /dev/null 2>&1 ||
		skip "record-perf may not record here"
}

# For tests of what programs can only do with a library that need not be there.
# shellcheck shell=bash

# needs_library NAME... : skips where the machine has none, so that the programs are built without.
needs_library()
{
	local name
	for name; do
		"${PKG_CONFIG:-pkg-config}" --exists "$name" || skip "no $name"
	done
}

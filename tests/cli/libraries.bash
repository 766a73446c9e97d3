# For tests of features that need an optional library.
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

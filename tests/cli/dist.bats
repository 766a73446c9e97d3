#!/usr/bin/env bats
# The archive of a release has the same bytes for the same files, and all that a build
# needs.
bats_require_minimum_version 1.5.0

setup_file()
{
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	export TOP=$PWD VERSION
	VERSION=$(cat VERSION)
	tar --version 2> /dev/null | grep -q GNU || command -v gtar > /dev/null || skip "no GNU tar"
	export ARCHIVE=$BATS_FILE_TMPDIR/one/flamepipe-$VERSION.tar.gz
	tools/dist "$VERSION" "$BATS_FILE_TMPDIR/one"
	mkdir "$BATS_FILE_TMPDIR/unpacked"
	tar -xzf "$ARCHIVE" -C "$BATS_FILE_TMPDIR/unpacked"
	export TREE=$BATS_FILE_TMPDIR/unpacked/flamepipe-$VERSION
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
}

@test "dist: time zone, locale and umask do not change the bytes" {
	(cd "$TOP" && umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 tools/dist "$VERSION" "$PWD/build/two")
	cmp "$ARCHIVE" "$TOP/build/two/flamepipe-$VERSION.tar.gz"
	rm -r "$TOP/build/two"
}

@test "dist: the unpacked archive, without git, makes the same bytes" {
	[ ! -e "$TREE/.git" ]
	(cd "$TREE" && GIT_CEILING_DIRECTORIES="$BATS_TEST_TMPDIR" tools/dist "$VERSION" "$BATS_TEST_TMPDIR")
	cmp "$ARCHIVE" "flamepipe-$VERSION.tar.gz"
	mkdir -p "$TREE/build" "$TREE/tests/node_modules"
	touch "$TREE/build/object" "$TREE/tests/node_modules/module"
	(cd "$TREE" && tools/dist "$VERSION" "$BATS_TEST_TMPDIR/again")
	cmp "$ARCHIVE" "again/flamepipe-$VERSION.tar.gz"
}

@test "dist: SOURCE_DATE_EPOCH is the time of every file" {
	(cd "$TREE" && SOURCE_DATE_EPOCH=86400 tools/dist "$VERSION" "$BATS_TEST_TMPDIR")
	run ! cmp -s "$ARCHIVE" "flamepipe-$VERSION.tar.gz"
	TZ=UTC tar -tvzf "flamepipe-$VERSION.tar.gz" > list
	[ "$(awk '$4 != "1970-01-02" || $2 != "0/0"' list | wc -l)" -eq 0 ]
}

@test "dist: programs stay executable, links stay links, one folder holds all" {
	[ -x "$TREE/tools/dist" ]
	[ ! -x "$TREE/VERSION" ]
	[ "$(find "$TREE" -type l | wc -l)" -gt 0 ]
	[ -z "$(find "$TREE" -type l ! -exec test -e {} \; -print)" ]
	[ "$(tar -tzf "$ARCHIVE" | cut -d / -f 1 | sort -u)" = "flamepipe-$VERSION" ]
}

@test "dist: a change in the tree changes the bytes" {
	echo more >> "$TREE/README.md"
	(cd "$TREE" && tools/dist "$VERSION" "$BATS_TEST_TMPDIR")
	run ! cmp -s "$ARCHIVE" "flamepipe-$VERSION.tar.gz"
}

@test "distcheck: the archive builds, installs, draws, uninstalls and packs itself" {
	[ "${CHECK:-}" = all ] || skip "a build from nothing: with CHECK=all"
	make -C "$TOP" --no-print-directory distcheck DISTCHECK= MAKEFLAGS= | grep 'is complete$'
}

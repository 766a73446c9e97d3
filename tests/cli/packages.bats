#!/usr/bin/env bats
# Packages have the right version, valid syntax as far as their tools are here, and all
# that is installed. `make package-deb` and the like build them.
bats_require_minimum_version 1.5.0

setup()
{
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	VERSION=$(cat VERSION)
}

needs()
{
	command -v "$1" > /dev/null || skip "no $1"
}

@test "all packages have the version of the file VERSION" {
	grep -q "^flamepipe ($VERSION-" debian/changelog
	grep -qx "Version: *$VERSION" packaging/flamepipe.spec
	grep -qx "pkgver=$VERSION" packaging/arch/PKGBUILD
	grep -qx "pkgver=$VERSION" packaging/alpine/APKBUILD
	grep -qx "version = \"$VERSION\"" contrib/python/pyproject.toml
	grep -q "/flamepipe-$VERSION.tar.gz\"" packaging/homebrew/flamepipe.rb
}

# unlisted PATTERN... : prints the files on standard input that match none of the
# patterns.
unlisted()
{
	local file pattern
	while read -r file; do
		for pattern; do
			# shellcheck disable=SC2053 # a pattern
			[[ $file != $pattern && $file != $pattern/* ]] || continue 2
		done
		echo "$file"
	done
}

# installed [LIBDIR] : lists the files of `make install install-compat`, below usr/.
installed()
{
	[ -x build/bin/flamegraph ] || skip "no build/bin"
	make -s install install-compat "DESTDIR=$BATS_TEST_TMPDIR/root" PREFIX=/usr \
		"LIBDIR=${1:-/usr/lib}" > /dev/null
	(cd "$BATS_TEST_TMPDIR/root" && find . ! -type d | sed 's,^\./,,' | LC_ALL=C sort) \
		> "$BATS_TEST_TMPDIR/installed"
}

@test "Debian: each installed file is in a package, and each pattern has a file" {
	local -a patterns
	local pattern
	installed /usr/lib/triplet
	mapfile -t patterns < <(cat debian/*.install | grep -v 'man1/.*\(inferno\|stackcoll\|\.pl\)')
	[ -z "$(unlisted "${patterns[@]}" < "$BATS_TEST_TMPDIR/installed")" ]
	for pattern in "${patterns[@]}"; do
		compgen -G "$BATS_TEST_TMPDIR/root/$pattern" > /dev/null
	done
}

@test "Debian: the libraries of the static library are dependencies" {
	local library
	sed -n '/^Build-Depends:/,/^[A-Z]/s/^ \(lib[a-z0-9-]*-dev\),*$/\1/p' debian/control > "$BATS_TEST_TMPDIR/libraries"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/libraries")" -ge 6 ]
	while read -r library; do
		sed -n '/^Package: libflamepipe-dev/,/^Description/p' debian/control | grep -q "[ ,]$library\(,\|$\)"
	done < "$BATS_TEST_TMPDIR/libraries"
}

@test "RPM: each installed file is in a package, and each pattern has a file" {
	local -a patterns
	local pattern
	installed
	mapfile -t patterns < <(sed -n 's,^%{_\(bin\|man\|data\|lib\|include\)dir}/,\1/,p' packaging/flamepipe.spec |
		sed 's,^bin,usr/bin,; s,^man,usr/share/man,; s,^data,usr/share,; s,^lib,usr/lib,; s,^include,usr/include,')
	[ "${#patterns[@]}" -gt 5 ]
	[ -z "$(unlisted "${patterns[@]}" < "$BATS_TEST_TMPDIR/installed")" ]
	for pattern in "${patterns[@]}"; do
		compgen -G "$BATS_TEST_TMPDIR/root/$pattern" > /dev/null
	done
}

@test "Debian: dpkg reads control and changelog" {
	needs dpkg-parsechangelog
	[ "$(dpkg-parsechangelog -S Source)" = flamepipe ]
	[ -x debian/rules ]
	sh -n debian/tests/draw
}

@test "Debian: its test passes with the programs that are here" {
	needs xmllint
	[ -x build/bin/flamegraph ] || skip "no build/bin"
	make -s install install-compat "DESTDIR=$BATS_TEST_TMPDIR/root" PREFIX=/usr > /dev/null
	mkdir "$BATS_TEST_TMPDIR/work"
	AUTOPKGTEST_TMP="$BATS_TEST_TMPDIR/work" PATH="$BATS_TEST_TMPDIR/root/usr/bin:$PATH" \
		MANPATH="$BATS_TEST_TMPDIR/root/usr/share/man" debian/tests/draw
}

@test "RPM: rpmspec reads the specification" {
	needs rpmspec
	[ "$(rpmspec -q --qf '%{name}-%{version}\n' packaging/flamepipe.spec | sort -u)" = \
		"$(printf 'flamepipe-%s\n' {,compat-,libs-,devel-}"$VERSION" | sort -u)" ]
}

@test "RPM: rpmlint has no errors" {
	needs rpmlint
	rpmlint -c packaging/rpmlint.toml packaging/flamepipe.spec | grep -q ' 0 errors'
}

@test "Arch, Alpine: the scripts are valid for their shells" {
	bash -n packaging/arch/PKGBUILD
	sh -n packaging/alpine/APKBUILD
	! command -v busybox > /dev/null || busybox sh -n packaging/alpine/APKBUILD
}

@test "Arch: makepkg reads PKGBUILD" {
	local dir as=
	needs makepkg
	if [ "$(id -u)" -eq 0 ]; then
		command -v runuser > /dev/null || skip "makepkg is not for root"
		as='runuser -u nobody --'
	fi
	dir=$(mktemp -d -p /tmp)
	cp packaging/arch/PKGBUILD "$dir"
	[ -z "$as" ] || chown -R nobody "$dir"
	cd "$dir"
	# makepkg insists on finding pacman, but does not use it here.
	# shellcheck disable=SC2086
	$as env HOME="$dir" PACMAN=true makepkg --printsrcinfo > "$BATS_TEST_TMPDIR/info"
	rm -r "$dir"
	grep -q "pkgver = $VERSION" "$BATS_TEST_TMPDIR/info"
}

@test "Homebrew: ruby reads the formula" {
	needs ruby
	ruby -c packaging/homebrew/flamepipe.rb
}

@test "Nix: nix-instantiate reads the expression" {
	needs nix-instantiate
	nix-instantiate --parse packaging/nix/default.nix > /dev/null
}

@test "the workflows are YAML, and their targets exist" {
	local target
	sed -n 's/.*run: g*make \([a-z-]*\).*/\1/p' .github/workflows/*.yml > "$BATS_TEST_TMPDIR/targets"
	[ -s "$BATS_TEST_TMPDIR/targets" ]
	while read -r target; do
		grep -q "^$target:" Makefile tests/tests.mk
	done < "$BATS_TEST_TMPDIR/targets"
	python3 -c 'import yaml' 2> /dev/null || skip "no python3 with yaml"
	python3 -c 'import sys, yaml
for f in sys.argv[1:]: assert yaml.safe_load(open(f))["jobs"]' .github/workflows/*.yml
}

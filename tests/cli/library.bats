#!/usr/bin/env bats
# The installed library: programs are built with it, by pkg-config, and run.
bats_require_minimum_version 1.5.0

setup_file()
{
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	export BIN=${BIN:-$PWD/build/bin}
	export TOP=$PWD ROOT="$BATS_FILE_TMPDIR/root" COMPILER=${CC:-cc} CXX=${CXX:-c++}
	make -s install-library DESTDIR="$ROOT" PREFIX=/usr > /dev/null
	export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR=$ROOT LD_LIBRARY_PATH=$ROOT/usr/lib
	PKG_CONFIG_LIBDIR=$ROOT/usr/lib/pkgconfig:$(pkg-config --variable pc_path pkg-config)
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
}

# builds FILE [FLAG]... : compiles it as a user does, into ./program.
builds()
{
	local file=$1
	shift
	local compiler=$COMPILER
	if [[ $file = *.cc ]]; then compiler=$CXX; fi
	# shellcheck disable=SC2046,SC2086
	$compiler "$@" -Wall -Wextra -Wpedantic -Werror -pthread "$TOP/$file" -o program \
		$(pkg-config --cflags --libs flamepipe)
}

@test "library: library, header and pkg-config file are installed" {
	local file
	for file in lib/libflamepipe.so lib/libflamepipe.so.1 lib/libflamepipe.a include/flamepipe.h; do
		[ -e "$ROOT/usr/$file" ]
	done
	[ "$(pkg-config --modversion flamepipe)" = "$(cat "$TOP/VERSION")" ]
	objdump -p "$ROOT/usr/lib/libflamepipe.so" | grep -q 'SONAME *libflamepipe.so.1$'
}

@test "library: both libraries export exactly the names of the header" {
	sed -n 's/^FLAMEPIPE_API .*[ *]\(flamepipe_[a-z_]*\)(.*/\1/p' "$ROOT/usr/include/flamepipe.h" |
		LC_ALL=C sort > declared
	sed -n 's/^	\(flamepipe_.*\);/\1/p' "$TOP/library/flamepipe.map" | cmp declared
	sed -n 's/^ \(flamepipe_[a-z_]*\)@.*/\1/p' "$TOP/debian/libflamepipe1.symbols" | cmp declared
	nm -D --defined-only "$ROOT/usr/lib/libflamepipe.so" |
		sed -n 's/.* T \([^@]*\).*/\1/p' | LC_ALL=C sort | cmp declared
	nm -g --defined-only "$ROOT/usr/lib/libflamepipe.a" | sed -n 's/.* [A-Z] //p' |
		LC_ALL=C sort | cmp declared
}

@test "library: a program in C can use it" {
	builds tests/library/use.c -std=c11
	./program
}

@test "library: a program in C++ can use it" {
	command -v "${CXX%% *}" > /dev/null || skip "no C++ compiler"
	builds tests/library/use.cc -std=c++17
	[ "$(./program)" = 'main 7' ]
}

@test "library: a program can be linked with the archive" {
	local libraries
	libraries=$(PKG_CONFIG_SYSROOT_DIR='' pkg-config --static --libs flamepipe | sed 's/-lflamepipe//')
	# pkg-config of libdw names libraries that Debian does not install with it.
	# shellcheck disable=SC2086
	echo 'int main(void) { return 0; }' | $COMPILER -x c - -o program $libraries 2> error ||
		skip "a library that ours is linked with is not here: $(grep -o -m 1 'cannot find.*' error)"
	# shellcheck disable=SC2046,SC2086
	$COMPILER -std=c11 "$TOP/tests/library/use.c" -o program $(pkg-config --cflags flamepipe) \
		"$ROOT/usr/lib/libflamepipe.a" $libraries
	env -u LD_LIBRARY_PATH ./program
}

@test "library: it folds a format like its collapser, by name or by guess" {
	builds tests/library/fold.c -std=c11
	local format input compared=0
	for format in perf jstack chrome jfr massif xctrace stap; do
		for input in "$TOP/tests/golden/collapse-$format"/{,*/}*/input; do
			"$BIN/collapse-$format" "$input" > expected 2> /dev/null || continue
			./program "$format" "$input" 2> /dev/null | grep -v '^# ' > named || :
			grep -v '^# ' expected | cmp named
			compared=$((compared + 1))
			break
		done
	done
	[ "$compared" -ge 6 ]
	printf 'a;b 2\n' > a.folded
	"$BIN/flamegraph" a.folded > a.svg 2> /dev/null
	gzip -k a.svg
	./program "" a.folded a.svg a.svg.gz "$TOP/tests/golden/collapse-jstack/attached/input" > all
	grep -qx 'a;b 6' all
	[ "$(grep -c . all)" -gt 1 ]
}

@test "library: several threads may each have a profile" {
	builds tests/library/threads.c -std=c11
	./program
}

@test "library: lack of memory is a status, and leaks nothing" {
	[[ "$(uname)" = Linux ]] || skip "malloc is replaced as with glibc and musl"
	builds tests/library/memory.c -std=c11
	printf '%s\n' 'a;b;c 1' 'a;d 2' > a.folded
	gzip -k a.folded
	printf 'a;b 300\n' | "$BIN/flamegraph" > a.svg
	run ./program folded a.folded folded a.folded.gz ~folded a.svg \
		jfr "$TOP/tests/golden/collapse-jfr/jdk17/input.gz" \
		perf "$TOP/tests/data/perfdata/stacks.data"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "library: the example profiles itself" {
	echo '#include <execinfo.h>' | $COMPILER -E - > /dev/null 2>&1 || skip "no <execinfo.h>"
	builds library/examples/profile-itself.c -O1 -fno-optimize-sibling-calls -rdynamic
	timeout 60 ./program > itself.svg
	[ "$("$BIN/flamegraph" --extract itself.svg | head -n 1)" = '# event: cpu-clock' ]
	"$BIN/flamegraph" --extract itself.svg | grep -q 'main;sort_numbers;'
}

@test "library: pip installs the Python module, and it works" {
	command -v python3 > /dev/null || skip "no python3"
	python3 -m pip --version > /dev/null 2>&1 || skip "no pip"
	cp -r "$TOP/contrib/python" source
	python3 -m pip install -q --no-index --no-deps --target modules ./source 2> log || {
		cat log
		return 1
	}
	run -0 env PYTHONPATH="$PWD/modules" FLAMEPIPE_LIBRARY=libflamepipe.so.1 \
		timeout 100 python3 -W error::ResourceWarning "$TOP/tests/library/use.py"
	[[ $output = *OK* ]]
	run -1 env PYTHONPATH="$PWD/modules" FLAMEPIPE_LIBRARY=no-such.so \
		python3 -c 'import flamepipe'
	[[ $output = *'ImportError: no-such.so: '*'run ldconfig'*'FLAMEPIPE_LIBRARY='* ]]
}

@test "library: the sanitizers find nothing" {
	local folder=$TOP/build/san/pic/so program flags
	[ -e "$folder/libflamepipe.so" ] || skip "make library-san builds it"
	# shellcheck disable=SC2086
	flags=$("$TOP/tools/can-sanitize" $COMPILER)
	for program in use threads; do
		# shellcheck disable=SC2086
		$COMPILER -std=c11 -g $flags -pthread -I "$TOP/library" "$TOP/tests/library/$program.c" \
			-o program -L "$folder" -lflamepipe
		LD_LIBRARY_PATH=$folder ./program
	done
}

@test "library: it neither ends the process nor writes by itself" {
	nm -D --undefined-only "$ROOT/usr/lib/libflamepipe.so" > needs
	run ! grep -E ' (exit|_exit|_Exit|abort|quick_exit)(@|$)' needs
}

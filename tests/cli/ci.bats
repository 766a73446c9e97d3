#!/usr/bin/env bats
# The steps in contrib/ci, with stand-ins for flame, gh and curl that note their
# arguments.
# shellcheck disable=SC2016,SC2030,SC2031 # stand-ins are text; each test has its own environment
bats_require_minimum_version 1.5.0
load libraries

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	CI=$(cd "$BATS_TEST_DIRNAME/../../contrib/ci" && pwd) || return 1
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir bin main
	PATH=$PWD/bin:$BIN:$PATH
	unset COMMAND PROFILE MAIN OUT TITLE MAX_GROWTH MIN_POWER MIN_RATIO REPORT CALLERS EVENT FREQUENCY MAX_LOST TRIES
	export TMPDIR=$PWD
	printf 'app;parse 4000\napp;write 6000\n' > before.folded
	printf 'app;parse 6000\napp;write 6000\n' > after.folded
	export PROFILE=after.folded
}

# stand_in NAME SCRIPT : makes a program of this name that runs the script.
stand_in()
{
	printf '#!/bin/sh\n%s\n' "$2" > "bin/$1"
	chmod +x "bin/$1"
}

# stand_in_flame : makes a flame that notes its arguments, runs the command and records
# something.
stand_in_flame()
{
	stand_in flame 'echo "$*" > words
		while [ "$1" != -- ]; do
			case $1 in --folded) folded=$2 ;; -o) picture=$2 ;; esac
			shift
		done; shift
		printf "# sample-weight: 5\na;f 500\n" > "$folded"; echo "<svg/>" > "$picture"; "$@"'
}

# stand_in_runs COUNT : makes a flame whose first COUNT recordings show growth.
stand_in_runs()
{
	rm -f runs
	stand_in flame "while [ \"\$1\" != -- ]; do
			case \$1 in --folded) folded=\$2 ;; -o) picture=\$2 ;; esac
			shift
		done
		echo >> runs; echo '<svg/>' > \"\$picture\"
		if [ \$(wc -l < runs) -le $1 ]; then cat after.folded; else cat before.folded; fi > \"\$folded\""
}

@test "compare: growth that a second recording does not confirm passes" {
	unset PROFILE
	export COMMAND=true
	cp before.folded main/profile.folded
	for slow in 1 2; do
		stand_in_runs $slow
		run -0 sh "$CI/compare"
		[ "$(wc -l < runs)" -eq $((slow + 1)) ]
		[[ $(head -n 1 flamepipe/summary.md) == PASS:* ]]
		grep -q "^This is recording $((slow + 1)): " flamepipe/summary.md
	done
	stand_in_runs 0
	run -0 sh "$CI/compare"
	[ "$(wc -l < runs)" -eq 1 ]
	run ! grep 'This is recording' flamepipe/summary.md
	stand_in_runs 9
	run -3 sh "$CI/compare"
	[ "$(wc -l < runs)" -eq 3 ]
	[[ $(head -n 1 flamepipe/summary.md) == 'FAIL: `parse` has grown by 10.00 points (limit 3 points)' ]]
	stand_in_runs 9
	TRIES=1 run -3 sh "$CI/compare"
	[ "$(wc -l < runs)" -eq 1 ]
}

# stand_in_losses COUNT SHARE : makes a flame whose first COUNT recordings lost that
# share.
stand_in_losses()
{
	rm -f runs
	stand_in flame "while [ \"\$1\" != -- ]; do
			case \$1 in --folded) folded=\$2 ;; -o) picture=\$2 ;; esac
			shift
		done
		echo >> runs; echo '<svg/>' > \"\$picture\"; cat before.folded > \"\$folded\"
		[ \$(wc -l < runs) -gt $1 ] ||
			echo 'collapse-perf: perf lost 12 events while recording, $2 % of all: use -F' >&2"
}

@test "compare: a recording that lost many events is made again, at most three times" {
	unset PROFILE
	export COMMAND=true
	stand_in_losses 2 39.0
	run -0 sh "$CI/compare"
	[ "$(wc -l < runs)" -eq 3 ]
	run ! grep 'perf lost' flamepipe/summary.md
	stand_in_losses 9 39.0
	cp before.folded main/profile.folded
	run -0 sh "$CI/compare"
	[ "$(wc -l < runs)" -eq 3 ]
	grep -q '^perf lost 39 % of the events of this profile' flamepipe/summary.md
	stand_in_losses 9 4.9
	run -0 sh "$CI/compare"
	[ "$(wc -l < runs)" -eq 1 ]
	run ! grep 'perf lost' flamepipe/summary.md
}

@test "compare: it passes, and says why, if main has no profile yet" {
	run -0 sh "$CI/compare"
	[[ $output == "PASS: the main branch has no profile yet"* ]]
	[ -s flamepipe/profile.svg ]
	grep -q 'no profile yet' flamepipe/summary.md
	cmp after.folded flamepipe/profile.folded
}

@test "compare: a run on main compares nothing" {
	cp before.folded main/profile.folded
	MAIN='' run -0 sh "$CI/compare"
	[[ $output == "PASS: other branches are compared"* ]]
}

@test "compare: growth gives exit status 3, a table and pictures" {
	cp before.folded main/profile.folded
	run -3 sh "$CI/compare"
	grep -q '|.*parse' flamepipe/summary.md
	[[ $(head -n 1 flamepipe/summary.md) == 'FAIL: `parse` has grown by 10.00 points (limit 3 points)' ]]
	[ -s flamepipe/diff.svg ]
	[ -s flamepipe/profile.svg ]
	MAX_GROWTH=50% run -0 sh "$CI/compare"
	[[ $(head -n 1 flamepipe/summary.md) == 'PASS: none of 3 functions has grown by more than 50 points' ]]
	REPORT='--fail-over ^parse$:+90%' MAX_GROWTH=90% run -0 sh "$CI/compare"
	: > .hidden
	REPORT='--callers .*' run -3 sh "$CI/compare"
}

@test "compare: too few samples give exit status 4 if MIN_POWER is set" {
	printf 'app;parse 4\napp;write 6\n' | tee main/profile.folded > after.folded
	run -0 sh "$CI/compare"
	MIN_POWER=80% run -4 sh "$CI/compare"
}

@test "compare: --absolute judges costs, and the summary shows them" {
	{ echo '# sample-weight: 1'; cat before.folded; } > main/profile.folded
	awk '!/^#/ { $NF *= 3 } { print }' main/profile.folded > after.folded # the same shares
	run -0 sh "$CI/compare"
	REPORT=--absolute run -3 sh "$CI/compare"
	[[ $(head -n 1 flamepipe/summary.md) == 'FAIL: all that was counted has grown by 200.00 % of the former total '* ]]
	REPORT='--absolute --relative' MAX_GROWTH=250% run -0 sh "$CI/compare"
}

@test "compare: too few samples are judged only if MIN_RATIO allows it" {
	{ echo '# sample-weight: 1'; cat before.folded; } > main/profile.folded
	printf '# sample-weight: 1\napp;parse 900\n' > after.folded
	run -4 sh "$CI/compare"
	[[ $(head -n 1 flamepipe/summary.md) == 'FAIL: there are too few samples to judge' ]]
	[[ $output == *'samples are fewer than 10 % of the '*'The variable MIN_RATIO says how few samples are judged'* ]]
	MIN_RATIO=0 run -3 sh "$CI/compare"
	[[ $output == 'FAIL: `parse` has grown'* ]]
}

@test "compare: it records the command; the shell runs none of the other settings" {
	stand_in_flame
	unset PROFILE
	COMMAND='echo "one  two" | cat > said' TITLE='$(touch ran) `touch ran`' OUT='a b' run -0 sh "$CI/compare"
	[ "$(cat said)" = 'one  two' ]
	[ ! -e ran ]
	grep -q 'a;f 500' 'a b/profile.folded'
	[ "$(cat words)" = '-e cpu-clock:u -F 2000 --title $(touch ran) `touch ran` --folded a b/profile.folded -o a b/profile.svg -- sh -c echo "one  two" | cat > said' ]
	run -2 sh "$CI/compare"
}

@test "compare: flame gets a plain command unchanged, and --call-graph" {
	local row
	stand_in_flame
	unset PROFILE
	while IFS='>' read -r row expected; do
		CALLERS=dwarf FREQUENCY=99 EVENT=cycles COMMAND=$row run -0 sh "$CI/compare"
		[[ $(cat words) == '-e cycles -F 99 --call-graph dwarf '*" -- $expected" ]]
	done <<-'END'
	/bin/echo one --two=3>/bin/echo one --two=3
	env echo>env echo
	exit 0>sh -c exit 0
	A=1 true>sh -c A=1 true
	echo *>sh -c echo *
	true && true>sh -c true && true
	END
}

@test "compare: a command that fails gives exit status 1, not growth" {
	stand_in_flame
	unset PROFILE
	for code in 3 4; do
		COMMAND="sh -c 'exit $code'" run -1 sh "$CI/compare"
		[[ $output == *"or flame failed, with exit status $code"* ]]
		[ "$(ls -A flamepipe)" = log ]
	done
}

@test "compare: a command that ends before the first sample has too few samples" {
	stand_in flame 'echo "flame: there is no picture: nothing ran while it was recorded (and so on)" >&2; exit 1'
	unset PROFILE
	COMMAND=true run -1 sh "$CI/compare" # nothing can be kept to compare with
	cp before.folded main/profile.folded
	COMMAND=true run -4 sh "$CI/compare"
	[[ $(head -n 1 flamepipe/summary.md) == "FAIL: there are too few samples to judge: 'true' ended "* ]]
	grep -q 'The variable MIN_RATIO' flamepipe/summary.md
	stand_in flame 'echo "flame: the command'"'"'s exit status is 3
flame: there is no picture: nothing ran while it was recorded (and so on)" >&2; exit 1'
	COMMAND=true run -1 sh "$CI/compare"
}

@test "compare: it works with flame itself" {
	needs_library libelf
	needs_recorder
	${CC:-cc} -O2 -DMIX=200 -DREST=800 -DROUNDS=200 -o app "$CI/../../tests/data/src/gate.c"
	unset PROFILE
	COMMAND=./app run -0 sh "$CI/compare"
	grep -q 'callers are found ' <<< "$output"
	cp flamepipe/profile.folded main
	COMMAND='./app && true' run -0 sh "$CI/compare"
	COMMAND=true run -4 sh "$CI/compare"
}

@test "compare: an unreadable profile is an error" {
	PROFILE=nowhere.folded run ! sh "$CI/compare"
	[ ! -e flamepipe/summary.md ]
}

@test "compare: results of an earlier run are removed" {
	cp before.folded main/profile.folded
	run -3 sh "$CI/compare"
	REPORT=--no-such run -2 sh "$CI/compare"
	[[ $output != *parse* ]]
	[ ! -e flamepipe/summary.md ]
	PROFILE=nowhere.folded run ! sh "$CI/compare"
	[ ! -e flamepipe/diff.svg ] && [ ! -e flamepipe/profile.svg ] && [ ! -e flamepipe/profile.folded ]
	run -3 sh "$CI/compare"
	MAIN='' run -0 sh "$CI/compare"
	[ ! -e flamepipe/diff.svg ] && [ ! -e flamepipe/diff.folded ]
}

@test "GitHub: the profile of main is fetched if it exists" {
	export GITHUB_WORKFLOW=w
	stand_in gh 'echo "$*" >> calls; case $1$2 in runlist) echo 7 ;; rundownload) : > got ;; esac'
	run -0 sh "$CI/github/main" main profile main
	grep -q 'run list --branch main --event push --status success --workflow w ' calls
	grep -q 'run download 7 --name profile --dir main' calls
	GITHUB_WORKFLOW=.github/workflows/a.yml run -0 sh "$CI/github/main" main profile main
	grep -q -e '--workflow a.yml ' calls
	mkdir main
	: > main/profile.folded # of another artifact
	stand_in gh 'exit 1'
	run -0 sh "$CI/github/main" main profile main
	[[ $output == *"has no profile yet"* ]]
	[ ! -e main/profile.folded ]
}

@test "GitHub: a comment is written once, then replaced" {
	export GITHUB_REPOSITORY=o/r
	echo '| a | b |' > summary.md
	stand_in gh 'echo "$*" >> calls; for w; do case $w in body=@*) cp "${w#body=@}" body ;; esac; done'
	run -0 sh "$CI/github/comment" 5 summary.md cpu
	grep -q 'POST repos/o/r/issues/5/comments' calls
	grep -q '^| a | b |' body
	[ "$(head -n 1 body)" = '<!-- flamepipe: cpu -->' ]
	grep -q 'startswith("<!-- flamepipe: cpu -->")' calls # another's is another comment
	grep -q '\.user\.login == "github-actions\[bot\]" and ' calls # anybody may write such a start
	stand_in gh 'echo "$*" >> calls; case $2 in user) echo somebody ;; esac'
	run -0 sh "$CI/github/comment" 5 summary.md cpu
	grep -q '\.user\.login == "somebody" and ' calls
	stand_in gh 'echo "$*" >> calls; case $* in *paginate*) printf "41\n42\n" ;; esac'
	run -0 sh "$CI/github/comment" 5 summary.md cpu
	grep -q 'PATCH repos/o/r/issues/comments/41' calls
	stand_in gh 'exit 1'
	run -0 sh "$CI/github/comment" 5 summary.md cpu
	[[ $output == *"no comment"* ]]
}

# step NUMBER : prints the shell script of a step of the action.
step()
{
	python3 -c 'import sys, yaml
print(yaml.safe_load(open(sys.argv[1]))["runs"]["steps"][int(sys.argv[2])]["run"])' \
		"$CI/github/action.yml" "$1"
}

@test "GitHub: the steps of the action work one after the other" {
	python3 -c 'import yaml' 2> /dev/null || skip "no python3 with yaml"
	export GITHUB_ACTION_PATH=$CI/github RUNNER_TEMP=$PWD/temp GITHUB_REF_NAME=topic BRANCH=main
	export GITHUB_STEP_SUMMARY=$PWD/summary GITHUB_OUTPUT=$PWD/output GITHUB_WORKFLOW=w ARTIFACT=profile
	mkdir temp
	stand_in gh 'echo "$*" >> calls
		case $1$2 in
		runlist) echo 7 ;;
		rundownload) mkdir temp/flamepipe-main && cp before.folded temp/flamepipe-main/profile.folded ;;
		esac'
	step 0 | sh -e
	step 1 | sh -e
	[ "$(cat output)" = status=3 ]
	grep -q parse summary
	GITHUB_REPOSITORY=o/r NUMBER=5 sh -e -c "$(step 3)"
	grep -q issues/5/comments calls
	STATUS=3 run -3 sh -e -c "$(step 4)"
	rm output
	step 1 | GITHUB_REF_NAME=main sh -e
	[ "$(cat output)" = status=0 ]
}

@test "GitLab: the script of the job works" {
	python3 -c 'import yaml' 2> /dev/null || skip "no python3 with yaml"
	mkdir contrib
	ln -s "$CI" contrib/ci
	python3 -c 'import sys, yaml
print("\n".join(yaml.safe_load(open(sys.argv[1]))["flamepipe"]["script"]))' "$CI/gitlab.yml" > script
	export CI_API_V4_URL=http://api CI_PROJECT_ID=9 CI_DEFAULT_BRANCH=main CI_JOB_NAME="flame pipe"
	export CI_JOB_TOKEN=t CI_COMMIT_BRANCH=topic
	stand_in curl 'exit 22'
	run -0 sh -e script
	[[ $output == *"no profile yet"* ]]
	[[ $output == *"no comment"* ]]
	stand_in curl 'echo "$*" >> calls; cat >> input
		while [ $# -gt 0 ]; do [ "$1" != --output ] || [ "$2" = /dev/null ] || cp before.folded "$2"; shift; done'
	export CI_JOB_TOKEN=of-the-job
	CI_MERGE_REQUEST_IID=3 FLAMEPIPE_TOKEN=of-notes run -3 sh -e script
	grep -q -e '--data-urlencode job=flame pipe .*projects/9/jobs/artifacts/main/raw/flamepipe/profile.folded$' calls
	grep -q 'projects/9/merge_requests/3/notes' calls
	# Other users can see the arguments of a command, so the token is not among
	# them.
	run ! grep -q of- calls
	[ "$(cat input)" = 'JOB-TOKEN: of-the-job
PRIVATE-TOKEN: of-notes' ]
	# The profiled program belongs to whoever asks for the merge.
	stand_in_flame
	unset PROFILE
	stand_in program 'env > environment'
	CI_COMMIT_BRANCH=main FLAMEPIPE_TOKEN=of-notes COMMAND=program run -0 sh -e script
	grep -q '^CI_API_V4_URL=' environment
	run ! grep -q of- environment
	export PROFILE=after.folded
	CI_COMMIT_BRANCH=main run -0 sh -e script
}

@test "Jenkins: the pipeline runs the same script" {
	grep -q 'sh contrib/ci/compare' "$CI/Jenkinsfile"
	grep -q 'optional: true' "$CI/Jenkinsfile"
	sed -n "/BRANCH_NAME/,/compare'''/{s/.*'''\[/[/; s/'''.*//; p}" "$CI/Jenkinsfile" > script
	[ "$(wc -l < script)" -eq 2 ]
	mkdir contrib
	ln -s "$CI" contrib/ci
	cp before.folded main/profile.folded
	BRANCH_NAME=topic BUILD_TAG=b run -3 sh -e script
	BRANCH_NAME=main BUILD_TAG=b run -0 sh -e script
}

# The owner of an action can move a tag to another commit.
@test "foreign actions and images are pinned to a commit or version" {
	cd "$BATS_TEST_DIRNAME/../.."
	grep -rhE '(^|[ -])uses: ' .github contrib/ci docs/guide/ci.md | grep -v 'uses: \./' > "$BATS_TEST_TMPDIR/uses"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/uses")" -gt 10 ]
	run ! grep -vE 'uses: [a-z-]+/[a-z-]+@[0-9a-f]{40} # v[0-9.]+$' "$BATS_TEST_TMPDIR/uses"
	run ! grep -rE '(image|container): *[^ ]*:latest' .github contrib/ci
}

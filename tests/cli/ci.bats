#!/usr/bin/env bats
# contrib/ci: what its steps do, with stand-ins for perf, for gh and curl, which note how they are called.
# shellcheck disable=SC2016,SC2030,SC2031 # stand-ins are text; each test has its own environment
bats_require_minimum_version 1.5.0

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	CI=$(cd "$BATS_TEST_DIRNAME/../../contrib/ci" && pwd) || return 1
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir bin main
	PATH=$PWD/bin:$BIN:$PATH
	unset COMMAND PROFILE MAIN OUT TITLE MAX_GROWTH MIN_POWER REPORT
	export TMPDIR=$PWD
	printf 'app;parse 4000\napp;write 6000\n' > before.folded
	printf 'app;parse 6000\napp;write 6000\n' > after.folded
	export PROFILE=after.folded
}

# stand_in NAME SCRIPT : a program of this name that runs the script.
stand_in()
{
	printf '#!/bin/sh\n%s\n' "$2" > "bin/$1"
	chmod +x "bin/$1"
}

@test "compare: without a profile of main it passes and says so" {
	run -0 sh "$CI/compare"
	[[ $output == *"main branch has no profile yet"* ]]
	[ -s flamepipe/profile.svg ]
	grep -q 'no profile yet' flamepipe/summary.md
	cmp after.folded flamepipe/profile.folded
}

@test "compare: on main nothing is compared" {
	cp before.folded main/profile.folded
	MAIN='' run -0 sh "$CI/compare"
	[[ $output == *"Other branches are compared"* ]]
}

@test "compare: growth is exit status 3, with the table and the pictures" {
	cp before.folded main/profile.folded
	run -3 sh "$CI/compare"
	grep -q '|.*parse' flamepipe/summary.md
	[ -s flamepipe/diff.svg ]
	[ -s flamepipe/profile.svg ]
	MAX_GROWTH=50% run -0 sh "$CI/compare"
	REPORT='--fail-over ^parse$:+90%' MAX_GROWTH=90% run -0 sh "$CI/compare"
	: > .hidden
	REPORT='--callers .*' run -3 sh "$CI/compare"
}

@test "compare: too few samples are exit status 4 where the power is asked for" {
	printf 'app;parse 4\napp;write 6\n' | tee main/profile.folded > after.folded
	run -0 sh "$CI/compare"
	MIN_POWER=80% run -4 sh "$CI/compare"
}

@test "compare: a command is recorded, and no word of its settings is run" {
	stand_in perf 'while [ "$1" != -- ]; do [ "$1" != -o ] || out=$2; shift; done; shift
		"$@" > said; printf "a 1 1.000001: 500 cycles:u: \n\t1 f+0x1 (/x)\n\n" > "$out"'
	unset PROFILE
	COMMAND='echo "one  two" | cat' TITLE='$(touch ran) `touch ran`' OUT='a b' run -0 sh "$CI/compare"
	[ "$(cat said)" = 'one  two' ]
	[ ! -e ran ]
	grep -q 'a;f 500' 'a b/profile.folded'
	[ ! -e 'a b/perf.data' ]
	run -2 sh "$CI/compare"
}

@test "compare: a command that fails is no growth" {
	stand_in perf 'while [ "$1" != -- ]; do [ "$1" != -o ] || : > "$2"; shift; done; shift; "$@"'
	unset PROFILE
	for code in 3 4; do
		COMMAND="exit $code" run -1 sh "$CI/compare"
		[[ $output == *"'exit $code' or perf failed, with exit status $code"* ]]
		[ -z "$(ls -A flamepipe)" ]
	done
}

@test "compare: what cannot be read is a failure" {
	PROFILE=nowhere.folded run ! sh "$CI/compare"
	[ ! -e flamepipe/summary.md ]
}

@test "compare: what an earlier run left is no result of this one" {
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

@test "GitHub: the profile of main is fetched, or there is none yet" {
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
	stand_in gh 'echo "$*" >> calls; case $* in *paginate*) printf "41\n42\n" ;; esac'
	run -0 sh "$CI/github/comment" 5 summary.md cpu
	grep -q 'PATCH repos/o/r/issues/comments/41' calls
	stand_in gh 'exit 1'
	run -0 sh "$CI/github/comment" 5 summary.md cpu
	[[ $output == *"no comment"* ]]
}

# step NUMBER : the shell of a step of the action.
step()
{
	python3 -c 'import sys, yaml
print(yaml.safe_load(open(sys.argv[1]))["runs"]["steps"][int(sys.argv[2])]["run"])' \
		"$CI/github/action.yml" "$1"
}

@test "GitHub: the steps of the action, one after the other" {
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

@test "GitLab: the job's script" {
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
	stand_in curl 'echo "$*" >> calls
		while [ $# -gt 0 ]; do [ "$1" != --output ] || [ "$2" = /dev/null ] || cp before.folded "$2"; shift; done'
	CI_MERGE_REQUEST_IID=3 FLAMEPIPE_TOKEN=f run -3 sh -e script
	grep -q -e '--data-urlencode job=flame pipe .*projects/9/jobs/artifacts/main/raw/flamepipe/profile.folded$' calls
	grep -q 'projects/9/merge_requests/3/notes' calls
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


# Runs cargo-flame. Cargo passes the name of the subcommand as the first argument.

case ${1:-} in
flame | flamegraph) shift ;;
esac
parse "$@"
shift "$parsed"
find_own flame
check_flame
check_targets
set_environment
build
find_program
eval "exec $own$flame_words -- \"\$program\"$harness \"\$@\""

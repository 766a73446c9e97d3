
# The run. Cargo passes its subcommand as the first word.

case ${1:-} in
flame) shift ;;
esac
parse "$@"
shift "$parsed"
set_environment
build
find_program
find_own flame
eval "exec $own$flame_words -- \"\$program\"$harness \"\$@\""

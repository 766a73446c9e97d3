
# Runs flame, once all functions are defined.

set_defaults
parse "$@"
shift "$parsed"
settle "$@"
prepare
if [ "$mode" = compare ]; then
	compare
else
	plan "$@"
	write_plan
	check_plan
	show_plan "$plan"
	start_up
	run_plan
	report
	settle_status
fi
open_picture
exit "$status"


version=@VERSION@

# make_visible TEXT... : in $visible; names of processes and files may have control bytes, which
# would be commands for the terminal.
make_visible()
{
	visible=$*
	case $visible in
	*[!A-Za-z0-9\ .,:/%\(\)_=+-]*)
		visible=$(printf '%s\n' "$visible" | LC_ALL=C awk '{
			gsub(/[\001-\037\177]|\302[\200-\237]/, "?")
			printf "%s%s", between, $0
			between = "?"
		}')
		;;
	esac
}

print_message()
{
	make_visible "$@"
	printf '%s: %s\n' "$self" "$visible" >&2
}

# say TEXT... : a message, which -q turns off.
say()
{
	[ -n "$quiet" ] || print_message "$@"
}

# fail STATUS TEXT... : the message of an error; ends the run.
fail()
{
	status=$1; shift
	print_message "$@"
	exit "$status"
}

misuse()
{
	fail 2 "$* (see $self --help)"
}

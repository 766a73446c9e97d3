
version=@VERSION@

# A function of awk, for LC_ALL=C: the text with "?" for what a terminal would obey, which are
# the control characters of folded(5). Bytes of 128 to 159 are some if they are no UTF-8.
hide_controls='
	function hide(text,    shown, before, more, whole) {
		gsub(/[\001-\037\177]|\302[\200-\237]|\342\200[\250-\256]/, "?", text)
		gsub(/\342\201[\246-\251]|\357\273\277/, "?", text)
		more = "[\200-\277]"
		whole = "[\302-\337]" more "|[\340-\357]" more more "|[\360-\364]" more more more
		shown = ""
		while (match(text, whole)) {
			before = substr(text, 1, RSTART - 1)
			gsub(/[\200-\237]/, "?", before)
			shown = shown before substr(text, RSTART, RLENGTH)
			text = substr(text, RSTART + RLENGTH)
		}
		gsub(/[\200-\237]/, "?", text)
		return shown text
	}'

# make_visible TEXT... : in $visible; names of processes and files may have control bytes, which
# would be commands for the terminal.
make_visible()
{
	visible=$*
	case $visible in
	*[!A-Za-z0-9\ .,:/%\(\)_=+-]*)
		visible=$(printf '%s\n' "$visible" | LC_ALL=C awk "$hide_controls"'{
			printf "%s%s", between, hide($0)
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

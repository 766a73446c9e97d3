
version=@VERSION@

# hide(text) for awk with LC_ALL=C: returns the text with "?" for each character that a
# terminal would obey, the control characters of folded(5). Bytes from 128 to 159 that are not
# UTF-8 are such characters, too.
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

# make_visible TEXT... : sets $visible to the text with "?" for each control character. Names of
# processes and files may have control characters, which a terminal would obey.
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

# say TEXT... : prints a message, unless -q is given.
say()
{
	[ -n "$quiet" ] || print_message "$@"
}

# fail STATUS TEXT... : prints an error and ends the run.
fail()
{
	status=$1; shift
	print_message "$@"
	exit "$status"
}

# misuse TEXT... : ends the run because of a wrong command line.
misuse()
{
	fail 2 "$* (see $self --help)"
}

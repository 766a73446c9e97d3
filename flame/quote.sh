
# quote WORD : sets $quoted to the word as one has to type it into a shell.
quote()
{
	case $1 in
	'' | *[!A-Za-z0-9_./:=@%+,-]*) ;;
	*) quoted=$1; return ;;
	esac
	rest=$1 quoted=
	while :; do
		case $rest in
		*\'*) quoted="$quoted${rest%%\'*}'\\''" rest=${rest#*\'} ;;
		*) break ;;
		esac
	done
	quoted="'$quoted$rest'"
}

# quote_file NAME : like quote, for a file: "-x" becomes "./-x", so that no program treats it as an
# option.
quote_file()
{
	case $1 in
	-?*) quote "./$1" ;;
	*) quote "$1" ;;
	esac
}

# quote_all WORD... : like quote, for several words, with a space in front of each.
quote_all()
{
	all=
	for word; do
		quote "$word"
		all="$all $quoted"
	done
	quoted=$all
}

# quote_words TEXT : like quote_all, for the words of a text, split at white space.
quote_words()
{
	set -f
	# shellcheck disable=SC2086
	quote_all $1
	set +f
}

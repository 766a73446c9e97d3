
# quote WORD : leaves it in $quoted as the shell has to read it.
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

# quote_file NAME : the same with a file, whose name no program takes for an option.
quote_file()
{
	case $1 in
	-?*) quote "./$1" ;;
	*) quote "$1" ;;
	esac
}

# quote_all WORD... : the same with several, a blank in front of each.
quote_all()
{
	all=
	for word; do
		quote "$word"
		all="$all $quoted"
	done
	quoted=$all
}

# quote_words TEXT : the same with the words of a text, which are split at blanks.
quote_words()
{
	set -f
	# shellcheck disable=SC2086
	quote_all $1
	set +f
}

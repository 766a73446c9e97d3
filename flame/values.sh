
# takes_value OPTION : succeeds for an option of flame with an argument. --root and
# --compression-level are not among them: they have one only after a "=".
takes_value()
{
	case $1 in
	-[pdFeco] | --pid | --duration | --freq | --event | --cmd | --output) ;;
	--perfdata | --runs | --call-graph | --keep-data | --folded | --diff | --ignore-root) ;;
	--post-process | --skip-after | --title | --subtitle | --notes) ;;
	--colors | --palette | --min-width | --image-width) ;;
	*) return 1 ;;
	esac
}

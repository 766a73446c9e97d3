
# takes_value OPTION : succeeds for an option of flame with an argument. It fails for --root and
# --compression-level, which have an argument only after a "=".
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

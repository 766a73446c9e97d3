
# A standard stream that is closed, as who starts jobs may leave it, becomes /dev/null: else a
# file that we open gets its number, and the command reads that, or writes to it.
open_streams()
{
	(: 3<&0) 2> /dev/null || exec 0<> /dev/null
	(: 3>&1) 2> /dev/null || exec 1<> /dev/null
	(: 3>&2) || exec 2<> /dev/null
}

open_streams

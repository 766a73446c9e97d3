int main(void)
{
	while (read(&it))	/* <&> ]]> "quoted" */
		parse(&it);
	print("</fg:line><script>alert(1)</script>");
	an escape [2J and a right-to-left mark ‮ and �
        long(été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, été, 0);

	return 0;
}

	int a1;	/* line 1 */
/* line 2 `ticks` | bars [31m */
	int a3;	/* line 3 */
/* line 4 `ticks` | bars [31m */
	int a5;	/* line 5 */
/* line 6 `ticks` | bars [31m */
	int a7;	/* line 7 */
/* line 8 `ticks` | bars [31m */
	int a9;	/* line 9 */
/* line 10 `ticks` | bars [31m */
	int a11;	/* line 11 */
/* line 12 `ticks` | bars [31m */
	int a13;	/* line 13 */
/* line 14 `ticks` | bars [31m */
	int a15;	/* line 15 */
/* line 16 `ticks` | bars [31m */
	int a17;	/* line 17 */
/* line 18 `ticks` | bars [31m */
	int a19;	/* line 19 */
/* line 20 `ticks` | bars [31m */
	int a21;	/* line 21 */
/* line 22 `ticks` | bars [31m */
	int a23;	/* line 23 */
/* line 24 `ticks` | bars [31m */
	int a25;	/* line 25 */
/* line 26 `ticks` | bars [31m */
	int a27;	/* line 27 */
/* line 28 `ticks` | bars [31m */
	int a29;	/* line 29 */
/* line 30 `ticks` | bars [31m */

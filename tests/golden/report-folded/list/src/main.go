#include "parse.h"

/* main, line 3 */
/* main, line 4 */
/* main, line 5 */
/* main, line 6 */
/* main, line 7 */
/* main, line 8 */
/* main, line 9 */
/* main, line 10 */
/* main, line 11 */

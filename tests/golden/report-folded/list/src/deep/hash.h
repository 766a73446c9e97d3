static int hash(int c)
{ return c * 31; }
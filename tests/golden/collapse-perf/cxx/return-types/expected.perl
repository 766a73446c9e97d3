featbig;__libc_start_call_main;main;A A::operator><double>;spin 1003009
featbig;__libc_start_call_main;main;A::operator delete;spin 1003009
featbig;__libc_start_call_main;main;A::operator int;spin 1003009
featbig;__libc_start_call_main;main;A::operator long*<long>;spin 1003009
featbig;__libc_start_call_main;main;A::operator new;spin 1003009
featbig;__libc_start_call_main;main;A::operator new[];spin 1003009
featbig;__libc_start_call_main;main;A::operator std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >;spin 1003009
featbig;__libc_start_call_main;main;A::operator std::map<long, int, std::less<long>, std::allocator<std::pair<long const, int> > ><long>;spin 1003009
featbig;__libc_start_call_main;main;A::operator std::vector<int, std::allocator<int> >;spin 1003009
featbig;__libc_start_call_main;main;A::operator++;spin 1003009
featbig;__libc_start_call_main;main;A::operator,;spin 1003009
featbig;__libc_start_call_main;main;A::operator;*_[i];spin 1003009
featbig;__libc_start_call_main;main;A::operator;_[i];spin 1003009
featbig;__libc_start_call_main;main;A::operator;spin 1003009
featbig;__libc_start_call_main;main;A::operator<;spin 1003009
featbig;__libc_start_call_main;main;A::operator<=>;spin 1003009
featbig;__libc_start_call_main;main;A::operator>;spin 1003009
featbig;__libc_start_call_main;main;A::operator>>;spin 1003009
featbig;__libc_start_call_main;main;A::operator[];spin 1003009
featbig;__libc_start_call_main;main;D::vg;spin 1003009
featbig;__libc_start_call_main;main;D::~D;D::~D;spin 1003009
featbig;__libc_start_call_main;main;VB::VB;VB::VB;spin 1003009
featbig;__libc_start_call_main;main;VB::vf;spin 1003009
featbig;__libc_start_call_main;main;auto abbrev<int>;spin 1003009
featbig;__libc_start_call_main;main;auto autof<int>;spin 1003009
featbig;__libc_start_call_main;main;bool A::operator< <double>;spin 1003009
featbig;__libc_start_call_main;main;clock_gettime@@GLIBC_2.17 1003009
featbig;__libc_start_call_main;main;coro;spin 1003009
featbig;__libc_start_call_main;main;decltype ;spin 2006018
featbig;__libc_start_call_main;main;decltype;spin 1003009
featbig;__libc_start_call_main;main;double ;spin 2006018
featbig;__libc_start_call_main;main;double inv<double, int>;spin 1003009
featbig;__libc_start_call_main;main;double plain<double>;spin 1003009
featbig;__libc_start_call_main;main;int ;spin 2006018
featbig;__libc_start_call_main;main;int A::operator;spin 1003009
featbig;__libc_start_call_main;main;int A::operator<< <int>;spin 1003009
featbig;__libc_start_call_main;main;int A::tm<int>;spin 1003009
featbig;__libc_start_call_main;main;int av<&arr>;spin 1003009
featbig;__libc_start_call_main;main;int av<;spin 1003009
featbig;__libc_start_call_main;main;int conc<int>;spin 1003009
featbig;__libc_start_call_main;main;int const* cptr<int>;spin 1003009
featbig;__libc_start_call_main;main;int fpt<&;spin 1003009
featbig;__libc_start_call_main;main;int invm<int, A, int>;A::m;spin 1003009
featbig;__libc_start_call_main;main;int invm<int, A, int>;spin 1003009
featbig;__libc_start_call_main;main;int nttp<P{1, 2}>;spin 1003009
featbig;__libc_start_call_main;main;int num<5, true>;spin 1003009
featbig;__libc_start_call_main;main;int operator _tt<;spin 1003009
featbig;__libc_start_call_main;main;int plain<int>;spin 1003009
featbig;__libc_start_call_main;main;int tagged_tpl<int>;spin 1003009
featbig;__libc_start_call_main;main;lambdas;auto lambdas;spin 3009027
featbig;__libc_start_call_main;main;lambdas;lambdas;spin 2006018
featbig;__libc_start_call_main;main;lambdas;std::_Function_handler<int ;lambdas;spin 1003009
featbig;__libc_start_call_main;main;long (anonymous namespace)::W::go<int>;spin 1003009
featbig;__libc_start_call_main;main;long req<long>;spin 1003009
featbig;__libc_start_call_main;main;operator _km;spin 1003009
featbig;__libc_start_call_main;main;retfp0;spin 1003009
featbig;__libc_start_call_main;main;spin 3009027
featbig;__libc_start_call_main;main;std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > plain<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > >;spin 1003009
featbig;__libc_start_call_main;main;std::enable_if<is_integral_v<int>, int>::type sfinae<int>;spin 1003009
featbig;__libc_start_call_main;main;std::enable_if<std::is_integral<int>::value, int>::type sfinae2<int>;spin 1003009
featbig;__libc_start_call_main;main;std::tuple<int, double, std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > > pack<int, double, std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > >;spin 1003009
featbig;__libc_start_call_main;main;std::vector<int, std::allocator<int> > (anonymous namespace)::anon<int>;spin 1003009
featbig;__libc_start_call_main;main;std::vector<int, std::allocator<int> > vec<int>;spin 1003009
featbig;__libc_start_call_main;main;std::vector<int> ttp<std::vector, int>;spin 1003009
featbig;__libc_start_call_main;main;std::vector<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, std::allocator<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > > > (anonymous namespace)::anon<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > >;spin 1003009
featbig;__libc_start_call_main;main;tagged_ret[abi:tagged];spin 1003009
featbig;__libc_start_call_main;main;takefp;spin 1003009
featbig;__libc_start_call_main;main;tcoro;spin 1003009
featbig;__libc_start_call_main;main;unsigned long ul<int>;spin 1003009
featbig;__libc_start_call_main;main;void A::tmref<int>;spin 1003009
featbig;__libc_start_main@@GLIBC_2.34;_GLOBAL__sub_I_sink;Init::Init;spin 1003009
featbig;__libc_start_main@@GLIBC_2.34;_GLOBAL__sub_I_sink;long plain<long>;spin 1003009
featbig;_dl_start_user;_dl_sysdep_start;dl_main;_dl_lookup_symbol_x 1003009

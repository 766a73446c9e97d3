// The header and the library from C++17: callbacks are functions of the language.
#include <flamepipe.h>

#include <cstdio>
#include <memory>
#include <string>

namespace
{
int append(void *data, const void *bytes, size_t size)
{
	static_cast<std::string *>(data)->append(static_cast<const char *>(bytes), size);
	return 0;
}

struct release {
	void operator()(flamepipe_profile *p) const
	{
		flamepipe_free(p);
	}
};
}

int main()
{
	std::unique_ptr<flamepipe_profile, release> profile(flamepipe_new());
	const char *const frames[] = { "main", "std::vector<int>::push_back(int const&)" };
	const char *const options[] = { "--max-depth", "1", nullptr };
	std::string folded;

	if (flamepipe_add(profile.get(), frames, 2, 7) != FLAMEPIPE_OK ||
	    flamepipe_filter(profile.get(), options) != FLAMEPIPE_OK ||
	    flamepipe_write_folded(profile.get(), append, &folded) != FLAMEPIPE_OK)
		return 1;
	std::fputs(folded.c_str(), stdout);
	return folded != "main 7\n";
}

/* Libraries that are loaded one after the other, into the same place. */
#include <dlfcn.h>

int main(int argc, char **argv)
{
	for (int i = 0; i < 6; i++) {
		void *library = dlopen(argv[1 + i % (argc - 1)], RTLD_NOW);
		unsigned (*run)(unsigned) =
			library ? (unsigned (*)(unsigned))dlsym(library, "run") : 0;

		if (!run)
			return 1;
		run(8000000);
		dlclose(library);
	}
	return 0;
}

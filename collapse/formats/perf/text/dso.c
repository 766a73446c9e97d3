/* Tells by the name of a DSO if its functions are the kernel's or a JIT's. */
#include "collapse/formats/perf/text/dso.h"

#include "collapse/formats/perf/text/state.h"

static bool ends_with_any(struct fg_str s, const struct fg_str *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fg_str_ends(s, list[i]))
			return true;
	return false;
}

/* DSOs in brackets that are not the kernel's, unlike "[ext4]" */
static const struct fg_str user_brackets[] = {
	FG_STR_INIT("[unknown"), FG_STR_INIT("[vdso"), FG_STR_INIT("[vsyscall"),
	FG_STR_INIT("[vectors"), FG_STR_INIT("[heap"), FG_STR_INIT("[stack"),
	FG_STR_INIT("[uprobes"), FG_STR_INIT("[anon"), FG_STR_INIT("[JIT"),
};

static const struct fg_str module_ends[] = {
	FG_STR_INIT(".ko"),	FG_STR_INIT(".ko.gz"),	FG_STR_INIT(".ko.xz"),
	FG_STR_INIT(".ko.zst"), FG_STR_INIT(".ko.bz2"), FG_STR_INIT(".ko.debug"),
};

static const struct fg_str bpf_starts[] = {
	FG_STR_INIT("bpf_prog_"),
	FG_STR_INIT("bpf_trampoline_"),
	FG_STR_INIT("bpf_dispatcher_"),
};

/* Returns true for "vmlinux" and "vmlinux-6.1.0-13-amd64". */
static bool is_vmlinux(struct fg_str base)
{
	if (!fg_str_starts(base, FG_STR("vmlinux")))
		return false;
	for (size_t i = 0; i < base.len; i++)
		if (!fg_is_word(base.ptr[i]) && base.ptr[i] != '-' &&
		    base.ptr[i] != '.')
			return false;
	return true;
}

bool perf_dso_is_kernel(struct fg_str dso)
{
	if (dso.len && dso.ptr[0] == '[')
		return !fg_str_starts_any(dso, user_brackets,
					  FG_COUNT_OF(user_brackets));
	return is_vmlinux(fg_str_basename(dso)) ||
	       ends_with_any(dso, module_ends, FG_COUNT_OF(module_ends)) ||
	       fg_str_starts_any(dso, bpf_starts, FG_COUNT_OF(bpf_starts)) ||
	       fg_str_eq(dso, FG_STR("/proc/kcore"));
}

bool perf_dso_is_jit(struct fg_str dso)
{
	static const struct fg_str map = FG_STR_INIT("/tmp/perf-");
	struct fg_str pid = fg_str_from_pos(dso, map.len);
	struct fg_str base;
	uint64_t number;

	if (fg_str_starts(dso, map) && fg_str_cut_end(&pid, FG_STR(".map")))
		return !fg_str_u64(pid, &number);
	if (!fg_str_ends(dso, FG_STR(".so")) && !fg_str_ends(dso, FG_STR(".dump")))
		return false;
	base = fg_str_basename(dso);
	if (fg_str_cut_start(&base, FG_STR("jit-")) &&
	    fg_str_cut_end(&base, FG_STR(".dump")))
		return !fg_str_u64(base, &number);
	return base.len < dso.len && fg_str_starts(base, FG_STR("jitted-"));
}

/* ---- like stackcollapse-perf.pl */

bool perf_dso_is_kernel_to_perl(struct fg_str dso)
{
	return ((dso.len && dso.ptr[0] == '[') ||
		fg_str_ends(dso, FG_STR("vmlinux"))) &&
	       !fg_str_has(dso, FG_STR("unknown"));
}

bool perf_dso_is_jit_to_perl(struct fg_str dso)
{
	static const struct fg_str tmp = FG_STR_INIT("/tmp/perf-");

	for (size_t at = 0; at < dso.len; at++) {
		struct fg_str rest;
		size_t end;

		at += fg_str_find(fg_str_from_pos(dso, at), tmp);
		rest = fg_str_from_pos(dso, at + tmp.len);
		end = fg_str_span(rest, fg_is_digit);
		if (end && fg_str_starts(fg_str_from_pos(rest, end), FG_STR(".map")))
			return true;
	}
	return false;
}

bool perf_corrects_names(const struct perf_options *o, unsigned variant)
{
	return !o->raw_names && o->compat == FG_COMPAT_NONE &&
	       !(variant & PERF_VARIANT_RECORDED);
}

unsigned perf_variant_of_dso(const struct perf_options *o, struct fg_str dso,
			     unsigned variant)
{
	bool perl = o->compat == FG_COMPAT_PERL;
	bool kernel = perl ? perf_dso_is_kernel_to_perl(dso) : perf_dso_is_kernel(dso);
	bool jit = perl ? perf_dso_is_jit_to_perl(dso) : perf_dso_is_jit(dso);

	if (perf_corrects_names(o, variant) && !kernel && !jit)
		variant |= PERF_VARIANT_ELF;
	if (o->kernel && kernel)
		return variant | PERF_VARIANT_KERNEL;
	return o->jit && jit ? variant | PERF_VARIANT_JIT : variant;
}

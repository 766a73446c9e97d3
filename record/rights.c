/* Gives up the rights that recording no longer needs. */
#define _GNU_SOURCE /* for syscall and setresuid */
#include "record/rights.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int fg_rights_drop(bool signals)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
	__u32 kept;

	if (syscall(SYS_capget, &header, sets))
		return errno;
	kept = signals ? sets[0].permitted & (UINT32_C(1) << CAP_KILL) : 0;
	memset(sets, 0, sizeof(sets));
	sets[0].permitted = kept;
	sets[0].effective = kept;
	if (syscall(SYS_capset, &header, sets))
		return errno;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? errno : 0;
}

int fg_rights_lend(bool callers)
{
	uid_t real, effective, saved;
	gid_t real_group, effective_group, saved_group;

	if (getresuid(&real, &effective, &saved) ||
	    getresgid(&real_group, &effective_group, &saved_group))
		return errno;
	/* changing the group may need the rights of the user */
	if (callers)
		return setresgid((gid_t)-1, real_group, (gid_t)-1) ||
				       setresuid((uid_t)-1, real, (uid_t)-1) ?
			       errno :
			       0;
	return setresuid((uid_t)-1, saved, (uid_t)-1) ||
			       setresgid((gid_t)-1, saved_group, (gid_t)-1) ?
		       errno :
		       0;
}

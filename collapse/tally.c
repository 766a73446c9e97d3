/* Counts what a run kept, skipped and lost. */
#include "collapse/tally.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

void fg_tally_release(struct fg_tally *t)
{
	fg_buf_release(&t->malformed_text);
	free(t->losses);
}

void fg_tally_skip(struct fg_tally *t, enum fg_skip reason, uint64_t amount)
{
	switch (reason) {
	case FG_SKIP_DROPPED:
		t->samples += amount;
		t->dropped += amount;
		break;
	case FG_SKIP_LEFT_OUT:
		t->samples += amount;
		t->ignored += amount;
		t->deselected += amount;
		break;
	case FG_SKIP_IDLE:
		t->idle += amount;
		break;
	case FG_SKIP_NO_STACK:
		t->stackless += amount;
		break;
	case FG_SKIP_LOST:
		t->lost = fg_count_add(t->lost, amount);
		break;
	case FG_SKIP_LOST_SAMPLES:
		t->lost_samples = fg_count_add(t->lost_samples, amount);
		break;
	}
}

void fg_tally_malformed(struct fg_tally *t, struct fg_place at, struct fg_str line,
			struct fg_diag *diag)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_add_visible(&text, line, FG_QUOTED_MAX);
	if (!t->malformed++) {
		t->malformed_place = at;
		fg_buf_add_str(&t->malformed_text, fg_buf_str(&text));
	}
	fg_note(diag, &at, "not understood: '%s'", fg_buf_cstr(&text));
	fg_buf_release(&text);
}

struct fg_loss *fg_tally_loss(struct fg_tally *t, const char *what)
{
	struct fg_loss *loss;

	for (size_t i = 0; i < t->loss_count; i++)
		if (!strcmp(t->losses[i].what, what))
			return &t->losses[i];
	FG_GROW(t->losses, t->loss_alloc, t->loss_count + 1);
	loss = &t->losses[t->loss_count++];
	memset(loss, 0, sizeof(*loss));
	loss->what = what;
	return loss;
}

#include "tone.h"

static bool used;

void tone_use(bool on)
{
	used = on;
}

const char *tone(enum tone i)
{
	static const char *const all[] = {[TONE_PLAIN] = "\x1b[0m", [TONE_HEAD] = "\x1b[1m",  [TONE_BAD] = "\x1b[1;31m",
					  [TONE_WARN] = "\x1b[33m", [TONE_GOOD] = "\x1b[32m", [TONE_FAINT] = "\x1b[2m"};
	return used ? all[i] : "";
}

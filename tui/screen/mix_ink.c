#include "mix_ink.h"
#include "theme.h"

int mix_ink(enum mix_part p)
{
	static const int inks[MIX_PARTS] = {
#define MIX_INK(id, letter, ink, colour) INK_##ink,
		MIX_PARTS_LIST(MIX_INK)
#undef MIX_INK
	};
	return inks[p];
}

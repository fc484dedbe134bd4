#include "roofline.h"
#include <math.h>

static double per(double sum, double n)
{
	return n > 0 ? sum / n : NAN;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Where no arithmetic is done, or the trace does not tell how much, traffic alone is compared with the memory. */
static void take_share(struct roofline *r)
{
	if (!isnan(r->roof_flops))
		r->share_pct = r->flop_rate / r->roof_flops * 100;
	else if (!(r->flop_rate > 0))
		r->share_pct = r->byte_rate / r->peak_bytes * 100;
	if (!isnan(r->roof_flops))
		r->bound_by = r->intensity >= r->ridge ? "Compute" : "HBM";
	else if (r->flop_rate == 0 && r->byte_rate > 0)
		r->bound_by = "HBM";
}

struct roofline roofline_of(const struct op_work *w)
{
	struct roofline r = {.share_pct = NAN, .roof_flops = NAN};
	r.flop_rate = per(w->flops * 1e9, (double)w->flops_ns);
	r.byte_rate = per(w->bytes * 1e9, (double)w->bytes_ns);
	r.peak_flops = per(w->roof_flops, (double)w->flops_ns);
	r.peak_bytes = per(w->roof_bytes, (double)w->bytes_ns);
	r.intensity = w->flops_ns == w->bytes_ns ? per(w->flops, w->bytes) : NAN;
	r.ridge = per(r.peak_flops, r.peak_bytes);
	if (r.intensity > 0 && r.ridge > 0)
		r.roof_flops = smaller(r.peak_flops, r.intensity * r.peak_bytes);
	take_share(&r);
	return r;
}

const char *roofline_note(const struct roofline *r)
{
	static const double SHOWN_AS_MORE = 100.05;
	return r->share_pct >= SHOWN_AS_MORE ? "above peak: cost model too high" : NULL;
}

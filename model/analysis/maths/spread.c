#include "spread.h"
#include <math.h>
#include <stddef.h>

struct spread spread_of(const double *v, uint32_t n)
{
	struct spread s = {.n = n, .mean = NAN, .sd = NAN};
	double sum = 0, squares = 0;
	if (!n)
		return s;
	for (uint32_t i = 0; i < n; i++)
		sum += v[i];
	s.mean = sum / n;
	for (uint32_t i = 0; i < n; i++)
		squares += (v[i] - s.mean) * (v[i] - s.mean);
	s.sd = n > 1 ? sqrt(squares / (n - 1)) : NAN;
	return s;
}

/* t of Student with so many degrees of freedom that 99.75 % lie below; between two rows the one above holds. */
static double t_9975(double freedom)
{
	static const struct {
		unsigned freedom;
		double t;
	} rows[] = {{1, 127.321}, {2, 14.089}, {3, 7.453},  {4, 5.598},  {5, 4.773},  {6, 4.317},
		    {7, 4.029},   {8, 3.833},  {9, 3.690},  {10, 3.581}, {11, 3.497}, {12, 3.428},
		    {13, 3.372},  {14, 3.326}, {15, 3.286}, {16, 3.252}, {18, 3.197}, {20, 3.153},
		    {24, 3.091},  {30, 3.030}, {40, 2.971}, {60, 2.915}, {120, 2.860}};
	double t = rows[0].t;
	for (size_t i = 0; i < sizeof rows / sizeof *rows && freedom >= rows[i].freedom; i++)
		t = rows[i].t;
	return t;
}

double spread_detects_pct(const struct spread *a, const struct spread *b)
{
	if (a->n < 2 || b->n < 2 || !(a->mean > 0))
		return NAN;
	double va = a->sd * a->sd / a->n, vb = b->sd * b->sd / b->n, v = va + vb;
	if (v <= 0)
		return 0;
	double freedom = v * v / (va * va / (a->n - 1) + vb * vb / (b->n - 1));
	return 100 * t_9975(freedom) * sqrt(v) / a->mean;
}

/* Names and the part of a training step that they tell, by rules/phases.rules. */
#include "model/analysis/rules/phase_rules.h"
#include "tests/unit/unit.h"
#include <string.h>

/* clang-format off */
static const struct {
	const char *name, *phase;
} names[] = {
	/* TensorFlow, Keras */
	{"model/dense/MatMul", "other"},
	{"gradient_tape/model/dense/MatMul/MatMul_1", "backward"},
	{"gradient_tape/mean_squared_error/Mul", "backward"},
	{"gradients/MatMul_grad/MatMul", "backward"},
	{"Conv2DBackpropFilter", "backward"},
	{"ReluGrad", "backward"},
	{"mean_squared_error/SquaredDifference", "loss"},
	{"compile_loss/sparse_categorical_crossentropy/Sum", "loss"},
	{"Adam/Adam/update_4/ResourceApplyAdam", "optimizer"},
	{"ResourceApplyGradientDescent", "optimizer"},
	{"sgd/Apply", "optimizer"},
	{"LossScaleOptimizer/cond", "optimizer"},
	{"conv1/Conv2D-0-TransposeNHWCToNCHW-LayoutOptimizer", "other"}, /* a pass over the graph */
	{"decoder/ArithmeticOptimizer/AddOpsRewrite_add_3", "other"},
	/* JAX */
	{"jit(train_step)/jit(main)/jvp(Model)/Dense_0/dot_general", "forward"},
	{"jit(train_step)/jit(main)/transpose(jvp(Model))/Dense_0/dot_general", "backward"},
	{"jit(train_step)/jit(main)/adamw/mul", "optimizer"},
	{"jit(train_step)/jit(main)/reduce_sum", "other"},
	/* PyTorch */
	{"autograd::engine::evaluate_function: AddmmBackward0", "backward"},
	{"torch::autograd::AccumulateGrad", "backward"},
	{"NllLossBackward", "backward"},
	{"aten::_log_softmax_backward_data", "backward"},
	{"aten::nll_loss_forward", "loss"},
	{"aten::cross_entropy_loss", "loss"},
	{"nn.Module: Linear_3", "forward"},
	{"DistributedDataParallel.forward", "forward"},
	{"Optimizer.step#SGD.step", "optimizer"},
	{"Optimizer.zero_grad#SGD.zero_grad", "optimizer"},
	{"torch/optim/lr_scheduler.py(120): step", "optimizer"},
	{"aten::_amp_foreach_non_finite_check_and_unscale_", "optimizer"},
	{"aten::add_", "other"},
	{"cudaLaunchKernel", "other"},
	/* what only looks like one of them */
	{"model/gradual/Mul", "other"},
};
/* clang-format on */

static void test_names_tell_phases(void **state)
{
	(void)state;
	struct err e = {0};
	struct phase_rules *r = phase_rules_builtin(&e);
	assert_non_null(r);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *got = work_phase_name(phase_rules_ask(r, names[i].name));
		if (strcmp(got, names[i].phase) != 0)
			fail_msg("%s is %s, not %s", names[i].name, got, names[i].phase);
	}
	phase_rules_free(r);
}

static void refused(const char *text, const char *why)
{
	struct err e = {0};
	char buf[640];
	assert_null(phase_rules_read(text, strlen(text), &e));
	if (!strstr(err_text(&e, buf, sizeof buf), why))
		fail_msg("'%s' does not say '%s'", buf, why);
}

static void test_wrong_rules_are_refused(void **state)
{
	(void)state;
	refused("version 1\nname x\n[sideways]\nhas x\n", "line 3");
	refused("version 1\nname x\n[forward]\nlooks like\n", "line 4");
	refused("version 9\nname x\n", "line 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_tell_phases),
		cmocka_unit_test(test_wrong_rules_are_refused),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "fused_name.h"
#include <string.h>

/* clang-format off */
static const struct { const char *word, *sort; } sorts[] = {
	{"poi_", "pointwise"}, {"red_", "reduction"}, {"per_", "persistent reduction"}, {"tem_", "template"}, {"for_", "foreach"},
	{"spl_", "split scan"},
};
/* Ops whose names hold an underscore: else one ends at the next. The longer of two that begin alike stands first. */
static const char *const ops[] = {
	"_adaptive_avg_pool2d_backward", "_adaptive_avg_pool2d", "_assert_async", "_cdist_forward", "_foreach_copy", "_foreach_norm", "_fused_rms_norm_backward",
	"_fused_rms_norm", "_local_scalar_dense", "_log_softmax_backward_data", "_log_softmax", "_native_batch_norm_legit_functional",
	"_native_batch_norm_legit_no_training", "_native_batch_norm_legit", "_prelu_kernel", "_safe_softmax", "_scaled_dot_product_efficient_attention",
	"_scaled_dot_product_flash_attention", "_scaled_mm", "_softmax_backward_data", "_softmax", "_to_copy", "_unsafe_index_put", "_unsafe_index", "_unsafe_view",
	"_weight_norm_interface", "as_strided_scatter", "as_strided", "avg_pool2d_backward", "avg_pool2d", "binary_cross_entropy_with_logits",
	"binary_cross_entropy", "bitwise_and", "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "clamp_max", "clamp_min",
	"constant_pad_nd", "convert_element_type", "convolution_backward", "copy_", "cross_entropy_loss", "div_rounding_mode", "elu_backward", "embedding_bag",
	"embedding_dense_backward", "empty_like", "empty_strided", "expand_as", "floor_divide", "full_like", "gelu_backward", "grid_sampler_2d", "group_norm",
	"hardsigmoid_backward", "hardswish_backward", "hardtanh_backward", "huber_loss_backward", "huber_loss", "index_add", "index_copy", "index_fill", "index_put",
	"index_select", "l1_loss", "layer_norm", "leaky_relu_backward", "leaky_relu", "linear_backward", "log_sigmoid_backward", "log_sigmoid_forward", "logical_and",
	"logical_not", "logical_or", "logical_xor", "masked_fill", "masked_scatter", "max_pool2d_with_indices_backward", "max_pool2d_with_indices", "moe_forward",
	"mse_loss_backward", "mse_loss", "native_batch_norm_backward", "native_batch_norm", "native_dropout_backward", "native_dropout", "native_group_norm_backward",
	"native_group_norm", "native_layer_norm_backward", "native_layer_norm", "new_empty", "new_full", "new_ones", "new_zeros", "nll_loss2d_backward",
	"nll_loss2d_forward", "nll_loss_backward", "nll_loss_forward", "ones_like", "pixel_shuffle", "pixel_unshuffle", "rand_like", "randint_like", "randn_like",
	"reflection_pad1d", "reflection_pad2d", "repeat_interleave", "replication_pad2d", "rms_norm", "scalar_tensor", "scaled_dot_product_attention", "scatter_add",
	"scatter_reduce", "select_backward", "select_scatter", "sigmoid_backward", "silu_backward", "slice_backward", "slice_scatter", "smooth_l1_loss_backward",
	"smooth_l1_loss", "softplus_backward", "split_with_sizes", "std_mean", "tanh_backward", "threshold_backward", "unsqueeze_copy", "upsample_bicubic2d",
	"upsample_bilinear2d", "upsample_nearest2d_backward", "upsample_nearest2d", "var_mean", "view_as_complex", "view_as_real", "zeros_like",
};
/* clang-format on */

static bool skip(const char **at, const char *word)
{
	size_t n = strlen(word);
	if (strncmp(*at, word, n) != 0)
		return false;
	*at += n;
	return true;
}

/* Length of the op that begins here: one of the list, or up to the next underscore. */
static size_t op_length(const char *at, const char *end)
{
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
		size_t n = strlen(ops[i]);
		if (n <= (size_t)(end - at) && !strncmp(at, ops[i], n) && (at + n == end || at[n] == '_'))
			return n;
	}
	size_t n = strcspn(at + 1, "_") + 1;
	return n < (size_t)(end - at) ? n : (size_t)(end - at);
}

/* After the ops stands the kernel's number: "_0". */
static const char *end_of_ops(const char *at)
{
	const char *end = at + strlen(at);
	while (end > at && end[-1] >= '0' && end[-1] <= '9')
		end--;
	return end == at ? at : *end && end[-1] == '_' ? end - 1 : at + strlen(at);
}

static const char *ops_of(const char *at, struct arena *mem)
{
	const char *end = end_of_ops(at), *text = "";
	while (at < end) {
		size_t n = op_length(at, end);
		text = arena_printf(mem, "%s%s%.*s", text, *text ? ", " : "", (int)n, at);
		at += n;
		at += at < end && *at == '_';
	}
	return text;
}

/* "graph_0_cpp_fused_...": the profiler's own number of the graph. */
static void skip_graph(const char **at)
{
	const char *rest = *at;
	if (!skip(&rest, "graph_"))
		return;
	size_t digits = strspn(rest, "0123456789");
	if (digits && rest[digits] == '_')
		*at = rest + digits + 1;
}

bool fused_name_parse(const char *name, struct fused_name *out, struct arena *mem)
{
	*out = (struct fused_name){0};
	skip_graph(&name);
	out->backend = skip(&name, "triton_") ? "triton" : skip(&name, "cpp_") ? "cpp" : NULL;
	for (size_t i = 0; out->backend && i < sizeof sorts / sizeof *sorts && !out->sort; i++)
		out->sort = skip(&name, sorts[i].word) ? sorts[i].sort : NULL;
	if (!out->backend || !skip(&name, "fused_"))
		return false;
	out->ops = ops_of(name, mem);
	return true;
}

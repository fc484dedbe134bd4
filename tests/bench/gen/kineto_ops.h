/* tests/bench/gen/kineto_ops.h - the ops of the made-up training job as templates, and the trees that they are read into: ops_read().
 *
 * name(children ...); !N a kernel of kind N (kineto_kernels.h) with its call, @N a call alone; + gives a sequence number, ~ asks for one. */
#ifndef BENCH_GEN_KINETO_OPS_H
#define BENCH_GEN_KINETO_OPS_H
#include <stdlib.h>
#include <string.h>

#define F_LINEAR "aten::linear(aten::t(aten::transpose(aten::as_strided)) aten::addmm(@9 !1))"
#define B_LINEAR(n)                                                                                               \
	"~autograd::engine::evaluate_function: "                                                                  \
	"AddmmBackward0(AddmmBackward0(aten::t(aten::transpose(aten::as_strided)) aten::mm(@9 !1) "               \
	"aten::t(aten::transpose(aten::as_strided)) aten::mm(@9 !1)) aten::sum(aten::as_strided !3) aten::view) " \
	"autograd::engine::evaluate_function: "                                                                   \
	"torch::autograd::AccumulateGrad(torch::autograd::AccumulateGrad(aten::detach(detach) aten::add_(!0)) "   \
	"torch.distributed.ddp.reducer::copy_bucket_to_grad(aten::view aten::copy_(@3 @5 !9))) "
static const char *const fwd_layer[] = {
	"+aten::layer_norm(aten::native_layer_norm(aten::empty aten::empty aten::empty @9 !2 aten::view))",
	"+" F_LINEAR,
	"aten::view",
	"aten::transpose(aten::as_strided)",
	"aten::transpose(aten::as_strided)",
	"aten::split(aten::narrow(aten::slice(aten::as_strided)) aten::narrow(aten::slice(aten::as_strided)))",
	"+aten::scaled_dot_product_attention(aten::_scaled_dot_product_flash_attention(aten::transpose(aten::as_"
	"strided) aten::_flash_attention_forward(aten::empty_like(aten::empty_strided) aten::empty @10 @8 !4)))",
	"aten::contiguous(aten::clone(aten::empty_like(aten::empty) aten::copy_(!0)))",
	"+" F_LINEAR,
	"+aten::dropout(aten::native_dropout(aten::empty_like(aten::empty_strided) aten::empty @5 !0))",
	"+aten::add(!0)",
	"+aten::layer_norm(aten::native_layer_norm(aten::empty aten::empty aten::empty @9 !2 aten::view))",
	"+" F_LINEAR,
	"+aten::gelu(aten::empty !0)",
	"+" F_LINEAR,
	"+aten::dropout(aten::native_dropout(aten::empty_like(aten::empty_strided) @5 !0))",
	"+aten::add(!0)",
	0};
static const char *const bwd_layer[] = {
	"~autograd::engine::evaluate_function: AddBackward0(AddBackward0)",
	"~autograd::engine::evaluate_function: "
	"NativeDropoutBackward0(NativeDropoutBackward0(aten::native_dropout_backward(aten::empty !0)))",
	B_LINEAR(1),
	"~autograd::engine::evaluate_function: GeluBackward0(GeluBackward0(aten::gelu_backward(aten::empty !0)))",
	B_LINEAR(2),
	"~autograd::engine::evaluate_function: "
	"NativeLayerNormBackward0(NativeLayerNormBackward0(aten::native_layer_norm_backward(aten::empty aten::empty "
	"aten::empty !2 !2 !2)))",
	"~autograd::engine::evaluate_function: AddBackward0(AddBackward0)",
	B_LINEAR(3),
	"~autograd::engine::evaluate_function: "
	"ScaledDotProductFlashAttentionBackward0(ScaledDotProductFlashAttentionBackward0(aten::_scaled_dot_product_"
	"flash_attention_backward(aten::_flash_attention_backward(aten::empty_like(aten::empty_strided) "
	"aten::zeros(aten::empty aten::zero_(aten::fill_(!10))) @10 !4 !4 !4))))",
	"~autograd::engine::evaluate_function: "
	"SplitBackward0(SplitBackward0(aten::cat(aten::narrow(aten::slice(aten::as_strided)) !0)))",
	B_LINEAR(4),
	"~autograd::engine::evaluate_function: "
	"NativeLayerNormBackward0(NativeLayerNormBackward0(aten::native_layer_norm_backward(aten::empty aten::empty !2 "
	"!2)))",
	0};
static const char *const nccl_op[] = {"c10d::allreduce_(record_param_comms(nccl:all_reduce(@4 @6 @3 !5 @4)))", 0};
static const char *const h2d_op[] = {"aten::to(aten::_to_copy(aten::empty_strided aten::copy_(@5 !7)))",
				     "aten::to(aten::_to_copy(aten::empty_strided aten::copy_(@5 !7)))", 0};
static const char *const loss_op[] = {"+aten::cross_entropy_loss(aten::log_softmax(aten::_log_softmax(!3)) "
				      "aten::nll_loss_nd(aten::nll_loss(aten::nll_loss_forward(!3))))",
				      "aten::ones_like(aten::empty_like(aten::empty_strided) aten::fill_(!0))", 0};
static const char *const opt_op[] = {"Optimizer.step#AdamW.step(aten::_foreach_norm(aten::empty !6 !6) "
				     "aten::_foreach_mul_(!6 !6) aten::_fused_adamw_(!6 !6 !6 !6))",
				     "Optimizer.zero_grad#AdamW.zero_grad(aten::zero_(aten::fill_(!10)))", 0};
static const char *const item_op[] = {"aten::item(aten::_local_scalar_dense(!8 @7))", 0};

/* A node of a tree: what it holds and what follows it on the same level are indexes, -1 where there is none. */
struct node {
	enum { NODE_OP, NODE_KERNEL, NODE_CALL } kind;
	const char *name;
	int arg; /* the number after ! or @ */
	int child, next;
	enum { SEQ_NONE, SEQ_GIVES, SEQ_ASKS } seq;
};
enum group { H2D, FWD_LAYER, LOSS, BWD_LAYER, NCCL, OPTIMIZER, ITEM, N_GROUPS };
static struct node nodes[1024];
static int n_nodes;
static int roots[N_GROUPS][64], n_roots[N_GROUPS];

static inline const char *read_op(struct node *n, const char *at)
{
	n->seq = *at == '+' ? SEQ_GIVES : *at == '~' ? SEQ_ASKS : SEQ_NONE;
	at += n->seq != SEQ_NONE;
	const char *begin = at;
	while (*at && *at != '(' && *at != ')' && !(*at == ' ' && at[-1] != ':'))
		at++;
	size_t len = (size_t)(at - begin);
	char *name = malloc(len + 1);
	memcpy(name, begin, len);
	name[len] = 0;
	n->name = name;
	return at;
}
/* Reads nodes up to the end or a parenthesis: the first one's index. */
static inline int read_nodes(const char **at)
{
	int first = -1, last = -1;
	while (**at && **at != ')') {
		if (**at == ' ') {
			++*at;
			continue;
		}
		int i = n_nodes++;
		struct node *n = &nodes[i];
		*n = (struct node){.child = -1, .next = -1};
		if (**at == '!' || **at == '@') {
			n->kind = **at == '!' ? NODE_KERNEL : NODE_CALL;
			n->arg = (int)strtol(*at + 1, (char **)at, 10);
		} else {
			*at = read_op(n, *at);
			if (**at == '(') {
				++*at;
				n->child = read_nodes(at);
				++*at;
			}
		}
		if (last < 0)
			first = i;
		else
			nodes[last].next = i;
		last = i;
	}
	return first;
}
static inline void ops_read(void)
{
	static const char *const *const groups[N_GROUPS] = {
		[H2D] = h2d_op,   [FWD_LAYER] = fwd_layer, [LOSS] = loss_op, [BWD_LAYER] = bwd_layer,
		[NCCL] = nccl_op, [OPTIMIZER] = opt_op,    [ITEM] = item_op,
	};
	for (int g = 0; g < N_GROUPS; g++)
		for (const char *const *text = groups[g]; *text; text++) {
			const char *at = *text;
			for (int r = read_nodes(&at); r >= 0; r = nodes[r].next)
				roots[g][n_roots[g]++] = r;
		}
}
#endif

#!/usr/bin/env python3
"""How evenly tokens are spread over experts: their grouped kernels are given the counts as a tensor, which no profiler records; the finding says so,
and nothing of programs without experts."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..")]
from harness import TRACES, Tap, need_program, scratch, table
from served import Served

OF_EXPERTS = ("fused_moe_kernel", "_matmul_ogs_NNT_bf16xbf16xmxfp4_16x256x128x1_swiglu", "_ZN5aiter42fmoe_bf16_blockscaleFp8_g1u1_novs_silu_1tg_32x256E",
              "void marlin_moe_wna16::Marlin<1, 8, 8>(int4 const*)", "void deep_ep::intranode::dispatch<4>(int*)",
              "void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cutlass::gemm::GroupProblemShape<cute::tuple<int, int, int> > > >(Params)",
              "void ck::kernel_moe_gemm<ck::GridwiseMoeGemm<1> >(Argument)")
OTHERS = ("nvjet_tst_128x256_bf16_gemm", "triton_poi_fused_constant_pad_nd_moe_forward_0", "void at::native::group_norm_kernel<float>(float*)",
          "void conv2d_grouped_direct_kernel<float>(float*)")


def finding(path):
    return next((f for f in table("findings", path).rows if f["rule"] == "experts"), None)


def made(kernel, name, dims=None):
    """Four turns of attention and one kernel for the experts, launched by an op whose counts are a tensor."""
    s = Served()
    for _ in range(4):
        s.launch([("flash_fwd_kernel", 30)])
        at = s.clock
        s.launch([(kernel, 400)])
        s.put("cpu_op", "aten::_grouped_mm", at - 1, s.clock - at + 2, s.pid, s.tid, **({"Input Dims": dims} if dims else {}))
        s.fetch()
    return s.write(scratch(name))


def unknown(tap):
    for i, kernel in enumerate(OF_EXPERTS):
        f = finding(made(kernel, f"experts-{i}.json.gz"))
        tap.ok(f and f["severity"] == "unknown" and "whose values are not recorded" in f["sentence"] and f["advice"],
               f"{kernel[:40]}: cannot tell, and why", f)
    f = finding(made(OF_EXPERTS[5], "experts-dims.json.gz", [[512, 4096], [8, 4096, 14336], [8]]))
    tap.ok(f and f["severity"] == "unknown", "shapes of a grouped product hold only the length of its counts", f)


def none(tap):
    for i, kernel in enumerate(OTHERS):
        tap.equal(finding(made(kernel, f"others-{i}.json.gz")), None, f"{kernel[:40]}: no experts, nothing is said")


def real(tap):
    for name, told in (("vllm-decode-graph/graph_execution.json.gz", True), ("b200-eager/eager_trace.json.gz", True),
                       ("sglang-decode/sglang_Qwen3-8B_decode.json.gz", False), ("h100-qwen/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", False)):
        path = os.path.join(TRACES, "kineto", name)
        if not os.path.exists(path):
            tap.skip(name, "trace not here")
            continue
        f = finding(path)
        tap.equal(f["severity"] if f else None, "unknown" if told else None, f"{name}: {'experts, not told' if told else 'a dense model'}")


def main():
    need_program()
    tap = Tap()
    for part in (unknown, none, real):
        part(tap)
    tap.done()


main()

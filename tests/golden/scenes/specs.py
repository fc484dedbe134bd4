"""The guide's situations, each small and exact. Times in ms from 0; every function gives a fresh Scene."""
from scene import LAUNCH, MS, US, Scene, ms

GEMM16 = "volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn"
GEMM32 = "volta_sgemm_128x64_nn"


def ideal():
    """1: ten steps of 100 ms that leave the GPU idle for 1 ms each."""
    s = Scene()
    s.gpu()
    work, h2d, d2h = s.stream(118, "Compute,MemcpyD2D"), s.stream(119, "MemcpyH2D"), s.stream(120, "MemcpyD2H")
    parts = [(GEMM16, 40, 1, 1, "model/fwd/MatMul:MatMul"), ("loss_kernel", 1, 41, 2, "loss/Mean:Mean"),
             (GEMM16, 50, 43, 1, "gradients/MatMul_grad/MatMul:MatMul"), ("optimizer_kernel", 6, 93, 1, "sgd/Apply:ResourceApplyGradientDescent")]
    for step in range(10):
        t = step * 100 * MS
        s.marker(step + 1, t, t + 100 * MS)
        launches = 0
        for name, count, start, each, op in parts:
            for i in range(count):
                s.kernel(work, name, t + (start + i * each) * MS, each * MS, t + launches * LAUNCH, op)
                launches += 1
        s.copy(work, "D2D", t + 99 * MS, MS, t + 60 * MS, 1 << 20)
        s.copy(h2d, "H2D", t + 10 * MS, 2 * MS, t + 9 * MS, 16 << 20)
        s.copy(d2h, "D2H", t + 42 * MS, ms("0.1"), t + 41 * MS, 4096)
    return s


STEPS_7_TO_10 = [(7, 0, 0, 101), (8, 102, 101, 203), (9, 262, 203, 363), (10, 364, 363, 465)]


def gap_skeleton():
    """Device steps 7 [0,100) 8 [102,202) 9 [262,362) 10 [364,464); ten kernels each; nothing else on the host."""
    s = Scene()
    s.gpu()
    work = s.stream(118, "Compute")
    for number, device, marker, marker_end in STEPS_7_TO_10:
        s.marker(number, marker * MS, marker_end * MS)
        device_step(s, work, device * MS)
    return s


def device_step(s, work, start, op="model/dense/MatMul:MatMul"):
    for i in range(10):
        s.kernel(work, GEMM16, start + i * 10 * MS, 10 * MS, start + i * LAUNCH, op)


def large_gap():
    """2: the host waits for input between steps 8 and 9."""
    s = gap_skeleton()
    s.host("IteratorGetNext:IteratorGetNext", 203 * MS, 258 * MS)
    return s


def contention():
    """3a: the launching thread has a hole while eight tf.data threads are busy."""
    s = gap_skeleton()
    for i in range(8):
        s.host("Iterator::ParallelMap::TFRecord", 203 * MS, 258 * MS, s.thread(2001 + i, f"tf_data_private_threadpool/{i}"))
    return s


def callback():
    """3b: after each of 4 steps, outside the markers, a callback of 55 and a D2H of 1, in a gap of 60."""
    s = Scene()
    s.gpu()
    work, d2h = s.stream(118, "Compute"), s.stream(120, "MemcpyD2H")
    for i in range(4):
        t = i * 160 * MS
        s.marker(i + 1, t, t + 101 * MS)
        device_step(s, work, t)
        s.host("Callback/on_train_batch_end", t + 102 * MS, t + 157 * MS)
        if i < 3:
            s.copy(d2h, "D2H", t + 120 * MS, MS, t + 119 * MS, 4, thread=s.thread(1501, "fetch"))
    return s


def loss_scaling():
    """3c: gaps of 5 between 4 steps, 4 of them in the conditional of dynamic loss scaling."""
    s = Scene()
    s.gpu()
    work = s.stream(118, "Compute")
    for i in range(4):
        t = i * 105 * MS
        s.marker(i + 1, t, t + 105 * MS)
        device_step(s, work, t)
        s.host("LossScaleOptimizer/cond:If", t + ms("100.5"), t + ms("104.5"))
    return s


def recompile():
    """3d: XLA compiles in step 7, and for 55 before step 9, for a new shape."""
    s = gap_skeleton()
    s.host("XlaCompile", 1 * MS, 2 * MS, shape="(float[32,128])")
    s.host("XlaCompile", 203 * MS, 258 * MS, shape="(float[33,128])")
    return s


def nothing_recorded():
    """3e: the gap with no host event in it."""
    return gap_skeleton()


def many_small_kernels():
    """6: 126,224 Mul in 2.77 s, one marker over all."""
    s = Scene()
    s.gpu()
    work, total = s.stream(118, "Compute"), 126224
    s.marker(1, 0, total * 25 * US)
    for i in range(total):
        op = "while/mul:Mul" if i < 100000 else "while/mul_1:Mul"
        s.kernel(work, "Mul_GPU_DT_FLOAT_kernel", i * 25 * US, 21945 + (i < 14320), i * 25 * US, op)
    return s


FALLBACK_KERNELS = [  # name, op, shape, count, each
    ("volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn", "dense/MatMul:MatMul", "(half[64,512];half[512,1024])", 300, "0.2"),
    ("volta_sgemm_128x64_nn", "dense_1/MatMul:MatMul", "(float[64,512];float[512,1024])", 100, "1"),
    ("volta_fp16_sgemm_fp16_128x64_nn", "dense_2/MatMul:MatMul", "(half[64,512];half[512,1023])", 100, "0.4"),
    ("turing_fp16_s1688cudnn_fp16_128x128_ldg8_relu_f2f_exp_interior_nhwc_tn_v1", "conv/Conv2D:Conv2D",
     "(half[32,224,224,3];half[7,7,3,64])", 100, "0.5"),
    ("Relu_GPU_DT_FLOAT_DT_FLOAT_kernel", "activation/Relu:Relu", "(float[64,1024])", 200, "0.25"),
]


def tensor_cores():
    """9: Tensor Core kernels, two ways to miss them, and an element-wise rest; cc 7.5."""
    s = Scene()
    s.gpu(cc=(7, 5), name="Tesla T4")
    work, at, launches = s.stream(118, "Compute"), MS, 0
    s.marker(1, 0, 302 * MS)
    for name, op, shape, count, each in FALLBACK_KERNELS:
        for _ in range(count):
            s.kernel(work, name, at, ms(each), launches * LAUNCH // 10, op, shape=shape, launch_dur=LAUNCH // 10)
            at, launches = at + ms(each), launches + 1
    return s


def input_bound(wait=82):
    """4: ten markers of 200: input wait 82, copy 8, launch 10, compute 100. With wait=0 the synthetic run, B."""
    s = Scene()
    s.gpu()
    work, h2d = s.stream(118, "Compute"), s.stream(119, "MemcpyH2D")
    data = s.thread(2001, "tf_data_iterator")
    for step in range(10):
        t = step * (118 + wait) * MS
        s.marker(step + 1, t, t + (118 + wait) * MS)
        if wait:
            s.host("IteratorGetNext:IteratorGetNext", t, t + wait * MS)
            s.host("Iterator::Prefetch", t, t + 82 * MS, data, id=1)
            s.host("Iterator::Prefetch::ParallelMap", t + MS, t + 81 * MS, data, id=2, parent_id=1)
            s.host("Iterator::Prefetch::ParallelMap::TFRecord", t + 2 * MS, t + 12 * MS, data, id=3, parent_id=2)
        s.copy(h2d, "H2D", t + wait * MS, 8 * MS, t + wait * MS - (LAUNCH if wait else 0), 64 << 20)
        s.kernel(work, GEMM32, t + (wait + 18) * MS, 100 * MS, t + (wait + 8) * MS, "model/dense/MatMul:MatMul",
                 launch_dur=10 * MS)
    return s


def synthetic_input():
    """4 B: the same program on synthetic data."""
    return input_bound(wait=0)


def launch_bound():
    """5: 2,000 launches of 25 us per step; kernel i runs [50i+25, 50i+70) us."""
    s = Scene()
    s.gpu()
    work = s.stream(118, "Compute")
    for step in range(10):
        t = step * (100 * MS + 20 * US)
        s.marker(step + 1, t, t + 100 * MS + 20 * US)
        for i in range(2000):
            at = t + 50 * i * US
            s.kernel(work, "small_kernel", at + 25 * US, 45 * US, at, "model/add:Add", launch_dur=25 * US)
    return s


def placement():
    """7: 950 ops on the device, on the host 40 Unique and 10 embedding/MatMul."""
    s = Scene()
    s.gpu()
    work, host = s.stream(118, "Compute"), s.thread(3001, "tf_Compute/1")
    s.marker(1, 0, 1000 * MS)
    for i in range(950):
        s.kernel(work, GEMM16, (10 + i) * MS, MS, i * LAUNCH, f"model/layer_{i}/MatMul:MatMul")
    for i in range(40):
        s.host("model/Unique:Unique", (10 + i) * MS, (11 + i) * MS, host)
    for i in range(10):
        s.host("embedding/MatMul:MatMul", (100 + 16 * i) * MS, (116 + 16 * i) * MS, host)
    return s


def excess_copies():
    """8: twenty round trips of 1 MiB in each of five steps, on streams #167-#169."""
    s = Scene()
    s.gpu()
    work, h2d, d2h = s.stream(167, "Compute"), s.stream(168, "MemcpyH2D"), s.stream(169, "MemcpyD2H")
    half = MS // 2
    for step in range(5):
        t = step * 100 * MS
        s.marker(step + 1, t, t + 100 * MS)
        launches = t
        s.copy(h2d, "H2D", t, 8 * MS, launches, 64 << 20)
        for i in range(20):
            at = t + 8 * MS + i * (4 * MS + half)
            s.copy(d2h, "D2H", at, half, t + (1 + 3 * i) * LAUNCH, 1 << 20, op="metrics/PyFunc:PyFunc")
            s.copy(h2d, "H2D", at + half, half, t + (2 + 3 * i) * LAUNCH, 1 << 20)
            s.kernel(work, GEMM32, at + MS, 3 * MS + half, t + (3 + 3 * i) * LAUNCH, "model/dense/MatMul:MatMul")
        s.copy(d2h, "D2H", t + 98 * MS, ms("0.1"), t + 61 * LAUNCH, 4096)
    return s


NCCL = "ncclAllReduceRingLLKernel_sum_f32(ncclColl)"


def all_reduce(calls=1):
    """10: two GPUs, ten steps of 100: forward 30, backward 40, concat 2, all-reduce 20, split 1, optimizer 7.
    calls=12 gives B: twelve all-reduces of 2."""
    s = Scene()
    reduce = [(NCCL, 20, "replica/AllReduce:CollectiveReduce")] if calls == 1 else [
        (NCCL, 2, f"replica/AllReduce_{i}:CollectiveReduce") for i in range(calls)]
    parts = [("forward_kernel", 30, "model/MatMul:MatMul"), ("backward_kernel", 40, "gradients/MatMul:MatMul"),
             ("ConcatV2_kernel", 2, "gradients/ConcatV2:ConcatV2"), *reduce,
             ("Split_kernel", 1, "gradients/Split:Split"), ("optimizer_kernel", 7, "sgd/Apply:ResourceApplyAdam")]
    length = sum(p[1] for p in parts)
    for gpu in (0, 1):
        s.gpu(gpu)
        thread = s.thread(MAIN_OF[gpu], f"launcher/{gpu}")
        work = s.stream(118, "Compute", gpu)
        for step in range(10):
            at = t = step * length * MS
            if gpu == 0:
                s.marker(step + 1, t, t + length * MS)
            s.host("ExecutorState::Process", t, t + 2 * len(parts) * LAUNCH, thread, _ct=2, _c=step + 1, id=step + 1)
            if gpu == 0:
                s.host("FunctionRun", t, t + MS, id=step + 1, _pt=2, _p=step + 1)
            for i, (name, dur, op) in enumerate(parts):
                s.kernel(work, name, at, dur * MS, t + i * LAUNCH // 10, op, gpu, thread, launch_dur=LAUNCH // 10)
                at += dur * MS
    return s


MAIN_OF = {0: 1101, 1: 1102, 2: 1103, 3: 1104}


def gpu_step(s, gpu, step, t, kernels, launch_at, thread_id=None):
    """Kernels (name, start, dur) of one GPU in one step, launched back to back on its own thread, tied to the marker."""
    thread = s.thread(thread_id or MAIN_OF[gpu], f"launcher/{gpu}/{thread_id or 0}")
    s.host("ExecutorState::Process", launch_at, launch_at + len(kernels) * US, thread, _ct=2, _c=step * 16 + gpu, id=step)
    for i, (name, start, dur) in enumerate(kernels):
        s.kernel(s.stream(118, "Compute", gpu), name, start, dur, launch_at + i * US, "model/MatMul:MatMul", gpu, thread,
                 launch_dur=US)
    s.host(f"launch GPU {gpu}", t + gpu * US, t + (gpu + 1) * US, _pt=2, _p=step * 16 + gpu)


def replicas():
    """11a: GPU 0 computes 90 of 100 ms in 150 kernels, GPU 1-3 60 in 100; all then meet in one all-reduce."""
    s = Scene()
    for step in range(3):
        t = step * 100 * MS
        s.marker(step + 1, t, t + 100 * MS)
        for gpu in range(4):
            s.gpu(gpu)
            each, count, busy = (MS * 6 // 10, 150, 90) if gpu == 0 else (MS * 6 // 10, 100, 60)
            kernels = [("compute_kernel", t + i * each, each) for i in range(count)]
            gpu_step(s, gpu, step + 1, t, kernels + [(NCCL, t + busy * MS, (100 - busy) * MS)], t)
    return s


def serial():
    """11b: GPU 0 works [0,50), GPU 1 [50,100): one after another."""
    s = Scene()
    for step in range(3):
        t = step * 100 * MS
        s.marker(step + 1, t, t + 100 * MS)
        for gpu in (0, 1):
            s.gpu(gpu)
            start = t + 50 * gpu * MS
            gpu_step(s, gpu, step + 1, t, [("compute_kernel", start + i * 10 * MS, 10 * MS) for i in range(5)], start)
    return s


def starved():
    """12: in seven of ten steps GPU 1 is idle until GPU 2 has been fed; lanes tf_Compute/n are no threads."""
    s = Scene()
    for step in range(1, 11):
        t = (step - 1) * 100 * MS
        s.marker(step, t, t + 100 * MS)
        late = ms("44.975") if step <= 7 else ms("4.975")
        for gpu, launch, thread in ((2, ms("4.975"), 1300 + step % 8), (1, late, 1200)):
            s.gpu(gpu)
            kernels = [("compute_kernel", t + launch + 25 * US + i * 5 * MS, 5 * MS) for i in range(10)]
            gpu_step(s, gpu, step, t, kernels, t + launch, thread)
        for lane in range(4):
            s.host("model/MatMul:MatMul", t + 10 * MS, t + 20 * MS, s.thread(4001 + lane, f"tf_Compute/{lane}"))
    return s


SCENES = {f.__name__: f for f in (
    ideal, large_gap, contention, callback, loss_scaling, recompile, nothing_recorded, input_bound, synthetic_input,
    launch_bound, many_small_kernels, placement, excess_copies, tensor_cores, all_reduce, replicas, serial, starved)}


def one_gpu():
    """10 C: the job of scene 10 on one GPU, without gradients to send: 77 of forward, backward and optimizer."""
    s = Scene()
    s.gpu(0)
    thread, work = s.thread(1101, "launcher/0"), s.stream(118, "Compute", 0)
    parts = [("forward_kernel", 30, "model/MatMul:MatMul"), ("backward_kernel", 40, "gradients/MatMul:MatMul"),
             ("optimizer_kernel", 7, "sgd/Apply:ResourceApplyAdam")]
    for step in range(10):
        at = t = step * 77 * MS
        s.marker(step + 1, t, t + 77 * MS)
        s.host("ExecutorState::Process", t, t + 100 * US, thread, _ct=2, _c=step + 1, id=step + 1)
        s.host("FunctionRun", t, t + MS, id=step + 1, _pt=2, _p=step + 1)
        for i, (name, dur, op) in enumerate(parts):
            s.kernel(work, name, at, dur * MS, t + i * 500, op, 0, thread, launch_dur=500)
            at += dur * MS
    return s

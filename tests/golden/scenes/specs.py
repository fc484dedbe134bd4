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
        s.kernel(work, GEMM32, start + i * 10 * MS, 10 * MS, start + i * LAUNCH, op)


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
            s.copy(d2h, "D2H", t + 120 * MS, MS, t + 119 * MS, 4)
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
    """3d: XLA compiles for 55 before step 9, for a new shape."""
    s = gap_skeleton()
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


SCENES = {f.__name__: f for f in (ideal, large_gap, contention, callback, loss_scaling, recompile, nothing_recorded,
                                  many_small_kernels, tensor_cores)}

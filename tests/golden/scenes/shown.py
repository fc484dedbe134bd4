"""What the panes and the reports of the scenes must show."""
from scene import MS

# Keys, lengths, words: what the panes 3 Steps, 6 Input and 9 Guide must show.
PANES = {
    "ideal": [("2 }", [], ["op (derived)", "phase", "forward", "backward"]), ("9", [], ["0 failed, 0 warnings"]), ("3", [100 * MS, 98 * MS], ["98.0 %", "10 steps"]),
              ("3 j", [MS], ["device compute"])],
    "large_gap": [("3 j j", [60 * MS, 55 * MS], ["input wait 55.000 ms (91.7 %)", "IteratorGetNext"]),
                  ("9", [55 * MS], ["input wait"])],
    "nothing_recorded": [("3 j j", [60 * MS], ["cannot tell"]), ("9", [], ["Cannot tell"])],
    "contention": [("3 j j", [60 * MS], ["thread contention"]), ("9", [55 * MS], ["thread contention", "gpu_private"])],
    "callback": [("3 j", [60 * MS], ["host work outside the graph"]),
                 ("9", [180 * MS], ["host work outside the graph", "steps_per_execution"])],
    "loss_scaling": [("3 j", [5 * MS, 4 * MS], ["loss scaling"]), ("9", [12 * MS], ["loss scaling"])],
    "recompile": [("3 j j", [60 * MS, 55 * MS], ["compilation"]), ("9", [], ["compil"])],
    "input_bound": [("6", [200 * MS, 118 * MS, 110 * MS, 70 * MS],
                     ["45.0 %", "highly input-bound", "ParallelMap", "-41.0 %", "20 %"]),
                    ("3", [200 * MS, 100 * MS, 90 * MS, 10 * MS], ["50.0 %", "45.0 %", "5.0 %", "input wait"]),
                    ("9", [], ["45.0 %", "highly"])],
    "placement": [("4", [], ["embedding/MatMul", "80.0 %", "model/Unique", "20.0 %"]),
                  ("9", [160 * MS], ["embedding/MatMul runs on the host"])],
    "excess_copies": [("9", [20 * MS, 98_100_000, 100 * MS], ["200 excess copies", "40 places in 5 of 5 steps", "20.4 %",
                                                              "10 more are input", "metrics/PyFunc"])],
    "launch_bound": [("3", [100_020_000, 10_020_000, 90 * MS], ["10.0 %", "90.0 %", "kernel launch"]),
                     ("9", [], ["moderate"])],
    "all_reduce": [("8", [100 * MS, 80 * MS], ["0 of 10", "hardly wait"])],
    "replicas": [("8", [100 * MS, 90 * MS, 60 * MS], ["GPU 0 is last at 3 of 3", "3 of 3", "0 of 3", "it runs more kernels"])],
    "serial": [("8", [100 * MS, 50 * MS], ["take turns", "0.0 %"]), ("9", [], ["take turns", "0.0 %"])],
    "starved": [("8", [100 * MS, 50 * MS, 40 * MS, 45 * MS], ["GPU 1 idles until its first launch", "7 of 10 steps", "1 launching thread"]),
                ("8 j", [5 * MS], ["8 launching threads"]), ("9", [40 * MS], ["of GPU 2", "7 of 10 steps"])],
    "many_small_kernels": [("4 o", [2_770_000_000], ["126,224", "Mul", "100.0 %"]), ("9", [385_596_945], ["126,224", "21.945 us", "12.2 %"])],
}
# Lengths, words: what the reports of the whole trace must say.
REPORTS = {
    "placement": ([160 * MS, 40 * MS], ["embedding/MatMul runs on the host", "by implementation", "95.0 %", "17.4 %",
                                        "tf.debugging.set_log_device_placement(True)"]),
    "excess_copies": ([20 * MS, 98_100_000, 50 * MS], ["200 excess copies", "40 places", "20.4 %", "8.39 GB/s", "2.10 GB/s",
                                                       "metrics/PyFunc"]),
    "ideal": ([100 * MS, 98 * MS], ["0 failed, 0 warnings", "98.0 %"]),
    "large_gap": ([60 * MS, 55 * MS], ["input wait", "IteratorGetNext"]),
    "nothing_recorded": ([60 * MS], ["Cannot tell"]),
    "contention": ([60 * MS, 55 * MS], ["thread contention", "gpu_private"]),
    "callback": ([180 * MS, 160 * MS, 106 * MS], ["host work outside the graph", "33.8 %", "steps_per_execution"]),
    "loss_scaling": ([4 * MS, 5 * MS], ["loss scaling"]),
    "recompile": ([60 * MS, 55 * MS], ["compilation"]),
    "input_bound": ([200 * MS, 118 * MS, 110 * MS, 70 * MS], ["45.0 %", "highly input-bound", "ParallelMap", "50.0 %", "5.0 %"]),
    "launch_bound": ([10_020_000, 90 * MS, 25_000, 100_200_000], ["10.0 %", "90.0 %", "moderate", "20-50 us", "launch latency"]),
    "all_reduce": ([20 * MS, 2 * MS], ["23.0 %", "13.5 %", "One collective per step and device"]),
    "replicas": ([90 * MS, 60 * MS, 30 * MS, 10 * MS], ["GPU 0 is last at 3 of 3", "1.33 times", "it runs more kernels"]),
    "serial": ([50 * MS], ["take turns", "0.0 %"]),
    "starved": ([40 * MS, 45 * MS, 5 * MS], ["GPU 1 idles until its first launch", "7 of 10 steps", "28.0 %", "1 thread launches for it, 8 for the other"]),
    "many_small_kernels": ([2_770_000_000, 2_194_514_320, 575_485_680, 385_596_945],
                           ["100,000", "26,224", "79.2 %", "20.8 %", "126,224", "21.945 us", "within"]),
}


def panes_and_reports(o, name):
    for keys, lengths, words in PANES.get(name, []):
        o.pane(keys, lengths, words)
    if name in REPORTS:
        o.says("what the tables say", lengths=REPORTS[name][0], words=REPORTS[name][1])

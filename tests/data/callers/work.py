# Says which share of its time is below first(), whose callee sorts.
import random
import time

numbers = [random.random() for _ in range(20000)]


def sorts():
    for _ in range(5):
        sorted(numbers)


def spins():
    for _ in range(200000):
        pass


def repeat(f, seconds):
    start = time.process_time()
    while time.process_time() - start < seconds:
        f()
    return time.process_time() - start


def first():
    return repeat(sorts, 2.4)


used = first()
repeat(spins, 1.6)
print("%.2f" % (100 * used / time.process_time()))

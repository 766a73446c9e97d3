# Threads that faulthandler looks at: recursion, a generator, a class, odd names of files.
# SPDX-License-Identifier: MIT
import faulthandler
import sys
import threading
import time


def chop(depth):
    if depth:
        return chop(depth - 1)
    return sum(i * i for i in range(20000))


class Cook:
    def work(self):
        while True:
            chop(3)


def wait(event):
    event.wait()


def stew(minutes):
    for minute in range(minutes):
        yield chop(minute % 2)


source = "def métier(n):\n    return max(stew(n))\n"
namespace = {"stew": stew}
exec(compile(source, 'a "dish"; line 3', "exec"), namespace)

threading.Thread(target=Cook().work, name="cook", daemon=True).start()
threading.Thread(target=wait, args=(threading.Event(),), daemon=True).start()
if "crash" in sys.argv:
    faulthandler.enable()
    faulthandler._sigsegv()
with open(sys.argv[1], "w") as file:
    faulthandler.dump_traceback_later(0.04, repeat=True, file=file)
    end = time.time() + 0.3
    while time.time() < end:
        namespace["métier"](60)
    faulthandler.cancel_dump_traceback_later()

"""Tries faults in the viewer's modules, for tests/break/mutate: with tests/viewer and, with
BROWSER=1, in Chromium with those tests of tests/browser that run the faulty line. For these
it builds a flamegraph with the faulty script.

One run of all browser tests shows which lines they run. build/mutate/viewer has a file for
each suite, made if it is missing or older than the suite; COVER=1 makes all anew.
"""
import functools
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys

VIEWER = "flamegraph/assets/viewer"
TABLE = "build/mutate/viewer"


def run(command, seconds=240, env=None, before=os.setsid):
    """Runs a command and stops all that it started. Returns true if it succeeded in time."""
    with subprocess.Popen(command, shell=True, env={**os.environ, **(env or {})},
                          preexec_fn=before, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            return process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


@functools.cache
def how_to_link():
    every = subprocess.check_output("make -nB V=1 build/bin/flamegraph", shell=True, text=True)
    return re.search(r".* -o build/bin/flamegraph .*", every)[0]


def listed():
    """Returns the modules that tests/viewer tests."""
    with open("tests/viewer/modules.mjs", encoding="utf-8") as file:
        names = re.search(r"modules = \[(.*?)\]", file.read(), re.S)[1]
    return [f"{VIEWER}/{name}.js" for name in re.findall(r"'(\w+)'", names)]


def modules():
    return sorted(glob.glob(f"{VIEWER}/*.js")) if os.environ.get("BROWSER") else listed()


def loaded():
    """Returns the modules that tests/viewer tests, and all that these import."""
    waiting, found = listed(), set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            with open(path, encoding="utf-8") as file:
                waiting += [f"{VIEWER}/{name}" for name in
                            re.findall(r" from '\./(\w+\.js)';", file.read())]
    return found


class Tree:
    """A copy of the viewer's sources, for putting faults in."""

    def __init__(self, folder):
        self.top, self.loaded = os.path.abspath(folder), loaded()
        shutil.rmtree(self.top, ignore_errors=True)
        for name in ("flamegraph/assets", "tests/viewer"):
            shutil.copytree(name, f"{self.top}/{name}")
        os.remove(f"{self.top}/tests/viewer/bundle.test.mjs")
        os.makedirs(f"{self.top}/build/bin")
        for name in ("tests/data", "build/bin/flamepipe-svg"):
            os.symlink(os.path.abspath(name), f"{self.top}/{name}")

    def units_pass(self):
        """Runs the fuzz tests last, because they take long; endless loops show up earlier."""
        every = glob.glob(f"{self.top}/tests/viewer/*.test.mjs")
        return all(run(f"node {path}") for path in sorted(every, key=lambda p: ("fuzz" in p, p)))

    def link(self, how="--minify"):
        """Builds a flamegraph with the scripts. They are like those of tools/bundle-viewer, but
        not as short, which saves time."""
        small, made = f"{self.top}/build/small", f"{self.top}/build/assets"
        sources, assets = f"{self.top}/{VIEWER}", f"{self.top}/flamegraph/assets"
        program = f"-o {self.top}/build/bin/flamegraph {made}.o"
        return run(
            f"rm -rf {small} && cp -r {sources} {small} && "
            f"sed -i.all 's/ = true;/ = false;/' {small}/features.js && "
            f"build/bundle/node_modules/.bin/esbuild viewer={sources}/main.js small={small}/main.js "
            f"profiles={sources}/profiles.js heat={sources}/heat.js --bundle --charset=utf8 {how} "
            f"--allow-overwrite --outdir={assets} && tools/embed {assets}/*.js {assets}/*.css > {made}.c && "
            f"{os.environ.get('CC', 'cc')} -I. -c -o {made}.o {made}.c && " +
            how_to_link().replace("-o build/bin/flamegraph", program))

    def suite_passes(self, suite, tests=None, **env):
        """Runs a suite up to its first failure. A test that hangs counts as one."""
        env.update(FLAMEGRAPH=f"{self.top}/build/bin/flamegraph", BROWSER="chromium")
        if tests:
            env.update(TESTS=json.dumps(tests), FIRST="1")
        return run(f"node tests/browser/{suite}.test.mjs", 1200, env)

    def try_one(self, fault, source, table):
        with open(f"{self.top}/{fault.path}", "w", encoding="utf-8") as file:
            file.write(fault.put(source))
        try:
            if not run(f"node --check {self.top}/{fault.path}"):
                return "broken"
            if fault.path in self.loaded and not self.units_pass():
                return "caught"
            return self.browse(table.of(fault)) if table else "survived"
        finally:
            shutil.copy(fault.path, f"{self.top}/{fault.path}")

    def browse(self, suites):
        """Runs each suite that fails a second time, because a chance failure does not repeat."""
        if not suites:
            return "unreached"
        if not self.link():
            return "broken"
        return "survived" if all(self.suite_passes(*suite) or self.suite_passes(*suite)
                                 for suite in suites) else "browsers"


def check(folder):
    tree = Tree(folder)
    if not tree.units_pass():
        sys.exit("mutate: tests/viewer fails without a fault")


class Table:
    """The tests of each suite, and the lines of each module that they run."""

    def __init__(self, most):
        self.most = most
        if not run("make build/bin/flamegraph build/bin/flamepipe-svg && tools/bundle-viewer --check", 1200):
            sys.exit("mutate: the viewer cannot be made without a fault")
        run("BROWSERS=none tests/browser/run", 600)  # installs the drivers
        os.makedirs(TABLE, exist_ok=True)
        suites = sorted(os.path.basename(path).split(".")[0]
                        for path in glob.glob("tests/browser/*.test.mjs"))
        self.cover([suite for suite in suites if os.environ.get("COVER") == "1" or self.is_old(suite)])
        self.rows = []
        for suite in suites:
            with open(f"{TABLE}/{suite}", encoding="utf-8") as file:
                self.rows += [(suite, *line.split("\t")) for line in file]

    @staticmethod
    def is_old(suite):
        made, test = f"{TABLE}/{suite}", f"tests/browser/{suite}.test.mjs"
        return not os.path.exists(made) or os.path.getmtime(made) < os.path.getmtime(test)

    @staticmethod
    def cover(suites):
        """Records which lines the suites run, with scripts that are not minified and their maps."""
        if not suites:
            return
        tree = Tree("build/mutate/cover")
        tree.link("--sourcemap=external")
        for path in glob.glob(f"{tree.top}/flamegraph/assets/*.js.map"):
            shutil.copy(path, TABLE)
            shutil.copy(path.removesuffix(".map"), TABLE)
        for suite in suites:
            rows = f"{TABLE}/{suite}.rows"
            open(rows, "w", encoding="utf-8").close()
            if not tree.suite_passes(suite, COVERED=os.path.abspath(TABLE)):
                print("fails without a fault, so that some of it is left out:", suite, flush=True)
            os.replace(rows, f"{TABLE}/{suite}")

    def of(self, fault):
        """Returns suites with their tests: first the suite with the module's name, then those
        whose tests run the most of the module."""
        module = os.path.basename(fault.path)
        tests = [(suite + ".js" != module, -places.count(f" {module}:"), suite, test)
                 for suite, test, places in self.rows if f" {module}:{fault.line} " in f" {places}"]
        suites = {}
        for _, _, suite, test in sorted(tests)[:self.most]:
            suites.setdefault(suite, []).append(test)
        return list(suites.items())

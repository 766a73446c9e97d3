"""How tests/break/mutate tries a fault of the viewer's modules: by tests/viewer and, with
BROWSER=1, by those of tests/browser that run its line, in Chromium, with a flamegraph that
has the script made anew.

Which those are, one run of all of them has shown: build/mutate/viewer has a file for each
suite, which is made where it is not there or the suite is newer; COVER=1 makes all anew.
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
    """Whether the command ends well in time; whatever it started ends with it."""
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
    """The modules that tests/viewer tries."""
    with open("tests/viewer/modules.mjs", encoding="utf-8") as file:
        names = re.search(r"modules = \[(.*?)\]", file.read(), re.S)[1]
    return [f"{VIEWER}/{name}.js" for name in re.findall(r"'(\w+)'", names)]


def modules():
    return sorted(glob.glob(f"{VIEWER}/*.js")) if os.environ.get("BROWSER") else listed()


def loaded():
    """Those of tests/viewer, and what they import."""
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
    """The viewer's sources in a folder of their own, where faults are put in."""

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
        """What takes long last; what never ends is seen soon."""
        every = glob.glob(f"{self.top}/tests/viewer/*.test.mjs")
        return all(run(f"node {path}") for path in sorted(every, key=lambda p: ("fuzz" in p, p)))

    def link(self, how="--minify"):
        """A flamegraph with the scripts, which are as tools/bundle-viewer has them but longer,
        as that takes a moment."""
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
        """Its first failure ends it, and so does a test that hangs."""
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
        """What fails by chance does not fail twice."""
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
    """Which tests run which line: those of suites, which of a module's lines."""

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
        """With scripts that are not made short, and the maps to their modules."""
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
        """Suites with their tests, first the one of the module's name, then those of which
        a test runs the most of it."""
        module = os.path.basename(fault.path)
        tests = [(suite + ".js" != module, -places.count(f" {module}:"), suite, test)
                 for suite, test, places in self.rows if f" {module}:{fault.line} " in f" {places}"]
        suites = {}
        for _, _, suite, test in sorted(tests)[:self.most]:
            suites.setdefault(suite, []).append(test)
        return list(suites.items())

"""The module of Python with the library, both as they are installed."""

import copy
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import flamepipe
from flamepipe import Error, FlamepipeWarning, Profile

STACKS = "main;a 300\nmain;b;c 200\n"


class Test(unittest.TestCase):
    def test_read_filter_svg(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "stacks")
            path.write_text(STACKS)
            svg = Profile.read(path).filter(focus="b").svg(title="One & only")
        self.assertIn("One &amp; only", svg)
        self.assertEqual(Profile.parse(svg).folded(), "main;b;c 200\n")

    def test_add(self):
        profile = Profile()
        profile.describe("unit", "ms")
        profile.add(["main", "leaf 1"], 2)
        profile.add(["main", "wörk"])
        self.assertEqual(profile.folded(), "# unit: ms\nmain;leaf 1; 2\nmain;wörk 1\n")
        self.assertEqual(list(profile), [(("main", "leaf 1"), 2), (("main", "wörk"), 1)])
        with self.assertRaises(Error):
            profile.add([])

    def test_counts(self):
        profile = Profile()
        for count in (-1, 1 << 64):
            with self.assertRaises(OverflowError):
                profile.add(["a"], count)
        with self.assertRaises(TypeError):
            profile.add(["a"], 1.5)
        profile.add(["a"], (1 << 64) - 1)
        self.assertEqual(list(profile), [(("a",), (1 << 64) - 1)])

    def test_number_sign(self):
        profile = Profile()
        profile.describe("event", "cycles")
        profile.add(["# a", "b"], 3)
        profile.add(["# a"], 4)
        self.assertEqual(list(profile), [(("# a",), 4), (("# a", "b"), 3)])

    def test_text(self):
        profile = Profile()
        profile.add(["a\udcff", b"\xc3\xa9", pathlib.Path("p")], 300)
        self.assertEqual(profile.folded(), "a\udcff;é;p 300\n")
        self.assertEqual(Profile.parse(profile.folded()).folded(), profile.folded())
        self.assertEqual(profile.filter(focus=b"\xc3\xa9").folded(), profile.folded())
        for wrong in (lambda: profile.add(["a\0b"]), lambda: profile.filter(focus="a\0b")):
            with self.assertRaisesRegex(ValueError, "null"):
                wrong()
        with self.assertRaisesRegex(ValueError, "null"):
            Profile.read("a\0b")
        for style in ("text", "markdown", "tsv", "json", "speedscope", "firefox", "collapsed-json"):
            self.assertIn("é", profile.report(format=style))

    def test_text_in_another_locale(self):
        script = "import flamepipe; p = flamepipe.Profile(); p.add(['\\xe9']); print(ascii(p.folded()))"
        said = subprocess.run(
            [sys.executable, "-X", "utf8=0", "-c", script],
            env={**os.environ, "LC_ALL": "C"},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        self.assertEqual(said.strip(), rb"'\xe9 1\n'")

    def test_copies(self):
        for copied in (copy.copy, copy.deepcopy):
            profile = Profile.parse(STACKS)
            other = copied(profile)
            profile.add(["x"])
            del profile
            self.assertEqual(other.folded(), STACKS)

    def test_signals(self):
        """What a handler raises while the library works is raised, not dropped."""

        def give_up(number, frame):
            raise TimeoutError

        before = signal.signal(signal.SIGALRM, give_up)
        path = os.path.join(tempfile.mkdtemp(), "pipe")
        os.mkfifo(path)

        def feed():
            with open(path, "w") as pipe:
                os.kill(os.getpid(), signal.SIGALRM)
                pipe.write("a;b 1\nodd\n")

        try:
            feeder = threading.Thread(target=feed)
            feeder.start()
            with self.assertRaises(TimeoutError):
                Profile.read(path, "folded")
            feeder.join()
            self.assertIs(signal.getsignal(signal.SIGALRM), give_up)
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_end_while_threads_work(self):
        script = """if True:
            import atexit, threading, time
            atexit.register(time.sleep, 0.5)
            from flamepipe import Profile
            profile = Profile()
            for number in range(20000):
                profile.add(["main", f"function_{number}"])
            def work():
                while True:
                    profile.svg(minwidth=0.1)
            threading.Thread(target=work, daemon=True).start()
            time.sleep(0.1)
            """
        command = [sys.executable, "-W", "ignore", "-c", script]
        ended = subprocess.run(command, stderr=subprocess.PIPE, check=True)
        self.assertEqual(ended.stderr, b"")

    def test_profiles_are_not_changed(self):
        profile = Profile.parse(STACKS)
        self.assertEqual(profile.filter(max_depth=1).folded(), "main 500\n")
        self.assertEqual((profile + profile).folded(), "main;a 600\nmain;b;c 400\n")
        self.assertEqual(profile.filter(hide=["b", "c"]).folded(), "main 200\nmain;a 300\n")
        self.assertEqual(profile.filter(reverse=True, focus=None).folded(), "a;main 300\nc;b;main 200\n")
        self.assertEqual(profile.folded(), STACKS)

    def test_diff_and_reports(self):
        before, after = Profile.parse(STACKS), Profile.parse("main;a 300\nmain;b;c 900\n")
        before.describe("sample-weight", "1")
        difference = after.diff(before)
        self.assertEqual(list(difference)[1], (("main", "b", "c"), (200, 900)))
        self.assertIn("points", difference.report())
        self.assertIs(difference.gate(max_growth="90%"), True)
        self.assertIs(difference.gate(max_growth="1%", sample_weight="1"), False)
        self.assertIn('"name"', before.report(format="json"))
        self.assertIn("main;a 300", Profile.parse(before.report(format="pprof")).folded())

    def test_notebook(self):
        page = Profile.parse(STACKS)._repr_html_()
        self.assertTrue(page.startswith('<iframe srcdoc="&lt;?xml'))
        self.assertNotIn("<svg", page)
        self.assertEqual(Profile()._repr_html_(), "no stack counts found: the input is empty")

    def test_errors(self):
        profile = Profile.parse(STACKS)
        with self.assertRaisesRegex(Error, "^--focus: bad regular expression"):
            profile.filter(focus="(")
        with self.assertRaisesRegex(Error, "nonexistent: cannot open"):
            Profile.read("/nonexistent")
        with self.assertRaisesRegex(Error, "no format is called"):
            Profile.parse(STACKS, "nothing")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            Profile.parse(STACKS + "odd\n", "folded")
        self.assertEqual([w.category for w in caught], [FlamepipeWarning])

    def test_formats(self):
        self.assertIn("perf", flamepipe.formats())
        self.assertRegex(flamepipe.version(), r"^\d+\.\d+")

    def test_threads(self):
        profile, seen = Profile.parse(STACKS), []
        threads = [
            threading.Thread(target=lambda: seen.append(profile.svg())) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(seen), 8)
        self.assertEqual(len(set(seen)), 1)


unittest.main()

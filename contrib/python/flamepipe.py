"""Reads, filters, compares and draws profiles with libflamepipe.

    from flamepipe import Profile
    Profile.read("perf.data").filter(focus="malloc").svg()

The options are those of the programs: filter(max_depth=10, hide=["a", "b"], reverse=True) does
the same as "filter-folded --max-depth=10 --hide=a --hide=b --reverse". A call that fails raises
an Error. If something is wrong with an input, there is a FlamepipeWarning. A notebook shows a
profile as a flame graph.
"""

import ctypes
import ctypes.util
import html
import operator
import os
import re
import signal
import threading
import warnings
import weakref

__all__ = ["Error", "FlamepipeWarning", "Profile", "formats", "version"]

_OK, _EXCEEDED, _UNSURE = 0, 1, 2
_NO_MEMORY, _STOPPED = -3, -4
_ERROR, _WARNING = 0, 1

# Handlers of these signals may raise an exception, for example to end the program or after a timeout.
_SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGALRM]

# ctypes.string_at takes the size as an int, so we copy pieces.
_PIECE = 1 << 30

# A line of folded stacks that is not a header. A ';' follows a leaf that ends in a number.
_LINE = re.compile(r"(?!# [^;]*$)(.*?);? ([0-9.]+)(?: ([0-9.]+))?$")

_MESSAGE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)
_WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class Error(Exception):
    """A call of the library failed. The text is the library's message."""


class FlamepipeWarning(UserWarning):
    """A warning of the library about an input, for example about lines that it ignored."""


class _Bytes(ctypes.Structure):
    _fields_ = [
        ("bytes", ctypes.c_char_p),
        ("size", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
    ]


def _load():
    """Loads the library that FLAMEPIPE_LIBRARY names, or the system's."""
    name = os.environ.get("FLAMEPIPE_LIBRARY") or ctypes.util.find_library("flamepipe")
    try:
        lib = ctypes.CDLL(name or "libflamepipe.so.1")
    except OSError as error:
        raise ImportError(
            f"{error}: install libflamepipe and, on Linux, run ldconfig as root, "
            "or say where it is: FLAMEPIPE_LIBRARY=FOLDER/libflamepipe.so.1"
        ) from None
    profile, text = ctypes.c_void_p, ctypes.c_char_p
    words, out = ctypes.POINTER(text), [_WRITE, ctypes.c_void_p]
    signatures = {
        "version": (text, []),
        "format": (text, [ctypes.c_size_t]),
        "new": (profile, []),
        "free": (None, [profile]),
        "on_message": (None, [profile, _MESSAGE, ctypes.c_void_p]),
        "add": (ctypes.c_int, [profile, words, ctypes.c_size_t, ctypes.c_uint64]),
        "describe": (ctypes.c_int, [profile, text, text]),
        "read": (ctypes.c_int, [profile, text, text, words]),
        "read_memory": (ctypes.c_int, [profile, ctypes.POINTER(_Bytes), text, words]),
        "merge": (ctypes.c_int, [profile, profile]),
        "filter": (ctypes.c_int, [profile, words]),
        "diff": (ctypes.c_int, [profile, profile, words]),
        "write_folded": (ctypes.c_int, [profile, *out]),
        "write_svg": (ctypes.c_int, [profile, words, *out]),
        "write_report": (ctypes.c_int, [profile, words, *out]),
    }
    for function, (result, arguments) in signatures.items():
        function = getattr(lib, "flamepipe_" + function)
        function.restype, function.argtypes = result, arguments
    return lib


_lib = _load()


def version():
    """Returns the version of the library."""
    return _lib.flamepipe_version().decode()


def formats():
    """Returns the names of the formats that can be read."""
    names = []
    while (name := _lib.flamepipe_format(len(names))) is not None:
        names.append(name.decode())
    return names


def _bytes(text):
    """Encodes text as UTF-8, whatever the locale, and paths like the system does."""
    is_text = isinstance(text, str)
    data = text.encode(errors="surrogateescape") if is_text else os.fsencode(text)
    if b"\0" in data:
        raise ValueError("embedded null byte")
    return data


def _array(texts):
    return (ctypes.c_char_p * (len(texts) + 1))(*map(_bytes, texts), None)


def _words(options):
    """Turns keywords into options of a command line: max_depth=2 becomes --max-depth=2."""
    words = []
    for key, value in options.items():
        name = b"--" + _bytes(key.rstrip("_").replace("_", "-"))
        if value is None or value is False:
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            text = one if isinstance(one, (str, bytes, os.PathLike)) else str(one)
            words.append(name if one is True else name + b"=" + _bytes(text))
    return _array(words)


def _hold_signals(handlers, caught):
    """Lets signals wait. If a handler ran in a callback, ctypes would drop its exception."""
    try:
        for number in _SIGNALS:
            if callable(signal.getsignal(number)):
                handlers[number] = signal.signal(number, lambda *given: caught.append(given))
    except ValueError:  # Handlers run in the main thread, and this is another.
        pass


class Profile:
    """Stacks and their counts.

    add() and describe() change the profile. All other methods leave it as it is, and filter() and
    diff() return a new one.
    """

    def __init__(self):
        self._messages = []
        self._lock = threading.RLock()
        self._profile = _lib.flamepipe_new()
        if not self._profile:
            raise MemoryError
        messages = self._messages
        self._heard = _MESSAGE(lambda _, level, text: messages.append((level, text)))
        _lib.flamepipe_on_message(self._profile, self._heard, None)
        # When Python ends, other threads may still be in a call.
        weakref.finalize(self, _lib.flamepipe_free, self._profile).atexit = False

    def _call(self, function, *arguments):
        """Calls a function of the library. Returns its status, or raises its error."""
        handlers, caught = {}, []
        with self._lock:
            try:
                if function != "add":  # It is called often, and calls back where it fails.
                    _hold_signals(handlers, caught)
                status = getattr(_lib, "flamepipe_" + function)(self._profile, *arguments)
            finally:
                for number, handler in reversed(handlers.items()):
                    signal.signal(number, handler)
            messages, self._messages[:] = list(self._messages), []
        for given in caught:
            handlers[given[0]](*given)
        if status in (_NO_MEMORY, _STOPPED):
            raise MemoryError
        errors = [text.decode(errors="replace") for level, text in messages if level == _ERROR]
        for level, text in messages:
            if level == _WARNING:
                warnings.warn(text.decode(errors="replace"), FlamepipeWarning, stacklevel=3)
        if status < _OK:
            raise Error("; ".join(errors) or f"flamepipe_{function} failed")
        return status

    def _written(self, function, *arguments):
        """Returns the output of a function, and its status."""
        parts = []

        def write(_, address, size):
            try:
                for at in range(0, size, _PIECE):
                    parts.append(ctypes.string_at(address + at, min(_PIECE, size - at)))
            except MemoryError:
                return 1
            return 0

        status = self._call(function, *arguments, _WRITE(write), None)
        return b"".join(parts), status

    @classmethod
    def read(cls, path, format=None, **options):
        """Reads a file. Without the name of a format, the library recognises the format."""
        profile = cls()
        format = format and _bytes(format)
        profile._call("read", _bytes(os.fsencode(path)), format, _words(options))
        return profile

    @classmethod
    def parse(cls, data, format=None, name="(memory)", **options):
        """Like read(), but reads a string or bytes with the content of a file."""
        profile = cls()
        is_text = isinstance(data, str)
        data = data.encode(errors="surrogateescape") if is_text else bytes(data)
        given = ctypes.byref(_Bytes(data, len(data), _bytes(name)))
        profile._call("read_memory", given, format and _bytes(format), _words(options))
        return profile

    def copy(self):
        """Returns a new profile with the same stacks."""
        return Profile() + self

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def add(self, frames, count=1):
        """Adds a stack to this profile. The first frame is the root."""
        count = operator.index(count)
        if not 0 <= count < 1 << 64:
            raise OverflowError(f"a count is from 0 to 2^64 - 1, not {count}")
        self._call("add", _array(frames), len(frames), count)

    def describe(self, key, value):
        """Describes the counts of the stacks that are added from now on.

        The key is "event", "unit" or the name of another header line of folded(5).
        """
        self._call("describe", _bytes(key), _bytes(value))

    def __add__(self, other):
        both = Profile()
        for profile in (self, other):
            with profile._lock:
                both._call("merge", profile._profile)
        return both

    def filter(self, **options):
        """Returns a new profile with the stacks that filter-folded would write."""
        left = self.copy()
        left._call("filter", _words(options))
        return left

    def diff(self, before, **options):
        """Returns the change from another profile to this one. Takes diff-folded's options."""
        after = self.copy()
        with before._lock:
            after._call("diff", before._profile, _words(options))
        return after

    def folded(self):
        """Returns the sorted folded stacks as a string."""
        return self._written("write_folded")[0].decode(errors="surrogateescape")

    def svg(self, **options):
        """Returns a flame graph as a string. Takes the options of flamegraph."""
        return self._written("write_svg", _words(options))[0].decode(errors="surrogateescape")

    def report(self, **options):
        """Returns what report-folded writes: a string, or bytes with format="pprof"."""
        text, _ = self._written("write_report", _words(options))
        return text if options.get("format") == "pprof" else text.decode()

    def gate(self, **options):
        """Returns True if no limit, such as max_growth="3%", is exceeded, or False.

        Returns None if there are too few samples to tell.
        """
        _, status = self._written("write_report", _words(options))
        return None if status == _UNSURE else status != _EXCEEDED

    def __iter__(self):
        """Yields stacks and counts: (("main", "work"), 3); for a difference, (..., (3, 4))."""
        for line in self.folded().split("\n"):
            if match := _LINE.match(line):
                frames, *counts = match.groups()
                counts = tuple(float(n) if "." in n else int(n) for n in counts if n)
                yield tuple(frames.split(";")), counts[0] if len(counts) == 1 else counts

    def _repr_html_(self):
        """Shows the picture in a notebook, in a frame of its own, so that the viewer runs."""
        try:
            page = html.escape(self.svg(), quote=True)
        except Error as error:
            return html.escape(str(error))
        return (
            f'<iframe srcdoc="{page}" style="width: 100%; height: 480px; border: 0" '
            'sandbox="allow-scripts" title="flame graph"></iframe>'
        )

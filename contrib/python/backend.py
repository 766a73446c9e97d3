"""Makes the wheel: one module and the metadata for pip. So the build needs no other package."""

import base64
import hashlib
import os
import re
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def _project():
    """Returns the name, the version and so on of pyproject.toml. Old Pythons have no parser for it."""
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        return dict(re.findall(r'^([a-z-]+) = "(.*)"$', file.read(), re.M))


def _metadata(project):
    return (
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        f"Summary: {project['description']}\nLicense: MIT\n"
        f"Requires-Python: {project['requires-python']}\n"
    )


def _record(path, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    return f"{path},sha256={digest},{len(data)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = _project()
    base = f"{project['name']}-{project['version']}"
    with open(os.path.join(HERE, "flamepipe.py"), "rb") as file:
        module = file.read()
    wheel = "Wheel-Version: 1.0\nGenerator: flamepipe\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {
        "flamepipe.py": module,
        f"{base}.dist-info/METADATA": _metadata(project).encode(),
        f"{base}.dist-info/WHEEL": wheel.encode(),
    }
    record = "".join(_record(path, data) for path, data in files.items())
    files[f"{base}.dist-info/RECORD"] = (record + f"{base}.dist-info/RECORD,,\n").encode()
    name = f"{base}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path), data)
    return name

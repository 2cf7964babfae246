"""Packs the program of a wheel for people without Python: `archive.py TARGET WHEEL FOLDER`.

The archive has one folder with the program, the licenses and the readme. The same input gives the same bytes.
"""

import gzip
import io
import stat
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BESIDE = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"]
# The oldest time that a zip file can have.
TIME = (1980, 1, 1, 0, 0, 0)
EPOCH = 315532800


def main(target, wheel, out):
    """Writes the archive and prints its name."""
    version = Path(wheel).name.split("-")[1]
    with zipfile.ZipFile(wheel) as packed:
        (program,) = [it for it in packed.namelist() if ".data/scripts/tollproof" in it]
        files = [(Path(program).name, packed.read(program), 0o755)]
    files += [(name, (ROOT / name).read_bytes(), 0o644) for name in BESIDE]
    folder = f"tollproof-{version}-{target}"
    to = Path(out) / (f"{folder}.zip" if "windows" in target else f"{folder}.tar.gz")
    to.write_bytes((zipped if "windows" in target else tarred)(folder, files))
    print(to)


def tarred(folder, files):
    """A `.tar.gz`."""
    data = io.BytesIO()
    with gzip.GzipFile(fileobj=data, mode="wb", mtime=EPOCH) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content, mode in files:
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mode, entry.mtime = len(content), mode, EPOCH
            archive.addfile(entry, io.BytesIO(content))
    return data.getvalue()


def zipped(folder, files):
    """A `.zip`."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in files:
            entry = zipfile.ZipInfo(f"{folder}/{name}", TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(entry, content)
    return data.getvalue()


if __name__ == "__main__":
    main(*sys.argv[1:])

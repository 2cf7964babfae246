"""Completes a release: the installer, the manifests and the checksums of all files.

    finish.py FOLDER [--partial]

FOLDER has the archives, as `.ci/release/build` makes them. REPOSITORY_URL is the address of the repository whose release has
them, such as https://github.com/OWNER/tollproof. An archive of each target must be there; with `--partial`, the manifests
name those that are.
"""

import hashlib
import json
import os
import sys
import tomllib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Each is made from the template of its name.
MADE = ["install.sh", "tollproof.rb", "tollproof.json"]
SUMS = "SHA256SUMS"


def main(folder, partial):
    """Writes the files."""
    folder = Path(folder)
    package = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    version = package["workspace"]["package"]["version"]
    repository = os.environ.get("REPOSITORY_URL", "").rstrip("/")
    if not repository.startswith("https://"):
        sys.exit("REPOSITORY_URL is the address of the repository, such as https://github.com/OWNER/tollproof")
    archives, missing = {}, []
    for it in json.loads((HERE / "targets.json").read_text()):
        target = it["target"]
        name = f"tollproof-{version}-{target}.{'zip' if 'windows' in target else 'tar.gz'}"
        if (folder / name).exists():
            archives[target] = {"name": name, "folder": f"tollproof-{version}-{target}", "sha256": sha256(folder / name)}
        else:
            missing.append(name)
    if missing and not partial or not archives:
        sys.exit(f"{folder} does not have {', '.join(missing)}")
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"), undefined=StrictUndefined, keep_trailing_newline=True,
        trim_blocks=True, lstrip_blocks=True,
    )
    for name in MADE:
        text = environment.get_template(name).render(
            version=version,
            description=package["package"]["description"],
            license=package["workspace"]["package"]["license"],
            repository=repository,
            homepage=package["package"].get("homepage", repository),
            download=f"{repository}/releases/download/v{version}",
            archives=archives,
        )
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    files = sorted(it for it in folder.iterdir() if it.is_file() and it.name != SUMS)
    (folder / SUMS).write_text("".join(f"{sha256(it)}  {it.name}\n" for it in files), encoding="utf-8", newline="\n")
    print(f"{folder}/{SUMS}: {len(files)} files")


def sha256(path):
    """The checksum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    main(sys.argv[1], "--partial" in sys.argv[2:])

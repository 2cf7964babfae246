"""Writes the list of the parts of tollproof (SBOM, CycloneDX 1.6): `sbom.py FILE`.

The parts are the libraries that the program or the Python package contains on any of the systems it is released for, with their licenses, the
checksums of their packages and what needs what; and the npm packages in its page.
"""

import base64
import json
import subprocess
import sys
import tomllib
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[2]
LICENSES = LicenseFactory()
PAGE = ROOT / "crates/tollproof-web/page/package-lock.json"


def main(file):
    """Writes the list."""
    targets = [it["target"] for it in json.loads((Path(__file__).parent / "targets.json").read_text())]
    needs, packages = {}, {}
    for target in targets:
        command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
        metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
        packages |= {it["id"]: it for it in metadata["packages"]}
        nodes = {it["id"]: it for it in metadata["resolve"]["nodes"]}
        root = metadata["resolve"]["root"]
        left = [root, *(it["id"] for it in metadata["packages"] if it["name"] == "tollproof-python")]
        seen = set()
        while left:
            at = left.pop()
            if at in seen:
                continue
            seen.add(at)
            used = [dep["pkg"] for dep in nodes[at]["deps"] if any(it["kind"] is None for it in dep["dep_kinds"])]
            # Macros run while the program is built and are not part of it.
            used = [it for it in used if not any("proc-macro" in made["kind"] for made in packages[it]["targets"])]
            needs.setdefault(at, set()).update(used)
            left += used
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    checksums = {(it["name"], it["version"]): it.get("checksum") for it in locked}
    parts = {id: rust_part(packages[id], checksums, id == root) for id in needs}
    bom = Bom()
    bom.metadata.component = parts[root]
    bom.components = [part for id, part in parts.items() if id != root]
    bom.dependencies = [Dependency(parts[id].bom_ref, [Dependency(parts[it].bom_ref) for it in used]) for id, used in needs.items()]
    for part in page_parts():
        bom.components.add(part)
        bom.register_dependency(parts[root], [part])
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if problem:
        sys.exit(f"the list of parts is not valid: {problem}")
    Path(file).write_text(text + "\n", encoding="utf-8")
    print(f"{file}: {len(bom.components)} parts")


def rust_part(package, checksums, is_program):
    """A crate."""
    name, version = package["name"], package["version"]
    checksum = checksums.get((name, version))
    license = package.get("license")
    return Component(
        name=name,
        version=version,
        type=ComponentType.APPLICATION if is_program else ComponentType.LIBRARY,
        bom_ref=f"pkg:cargo/{name}@{version}",
        description=package.get("description"),
        # Some crates write `MIT/Apache-2.0` for `MIT OR Apache-2.0`.
        licenses=[LICENSES.make_from_string(license.replace("/", " OR "))] if license else (),
        purl=PackageURL("cargo", None, name, version),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=checksum)] if checksum else (),
    )


def page_parts():
    """The npm packages in the page."""
    for path, package in json.loads(PAGE.read_text(encoding="utf-8"))["packages"].items():
        name = path.rpartition("node_modules/")[2]
        if not name or package.get("dev") or package.get("optional") or package.get("link"):
            continue
        scope, _, short = name.rpartition("/")
        algorithm, _, digest = package.get("integrity", "").partition("-")
        yield Component(
            name=name,
            version=package["version"],
            type=ComponentType.LIBRARY,
            bom_ref=f"pkg:npm/{name}@{package['version']}",
            licenses=[LICENSES.make_from_string(package["license"])] if package.get("license") else (),
            purl=PackageURL("npm", scope or None, short, package["version"]),
            hashes=[HashType(alg=HashAlgorithm.SHA_512, content=base64.b64decode(digest).hex())] if algorithm == "sha512" else (),
        )


if __name__ == "__main__":
    main(sys.argv[1])

"""The names of fields at each provider, from `schemas/<provider>/`."""

import json

import yaml

import terminal


class Provider:
    """A provider and the fields of its submit request."""

    def __init__(self, folder):
        data = yaml.safe_load((folder / "provider.yaml").read_text(encoding="utf-8"))
        self.title = data["title"]
        self.roles = next(kind.get("roles", {}) for kind in data["kinds"] if kind["kind"] == "submit-request")
        schema = json.loads((folder / "submit-request.schema.json").read_text(encoding="utf-8"))
        self.own = set(schema.get("properties", {}))

    def field(self, role):
        """The provider's name of a role; `None` if it has no such field."""
        path = self.roles.get(role, role if role in self.own else None)
        return path[0] if isinstance(path, list) else path


FOLDERS = sorted(it.parent for it in (terminal.ROOT / "schemas").glob("*/provider.yaml"))
PROVIDERS = {it.name: Provider(it) for it in FOLDERS}

"""The names of fields at each provider, from `schemas/<provider>/`."""

import json

import yaml

import terminal


class Provider:
    """A provider and the fields of its submit request."""

    def __init__(self, folder):
        data = yaml.safe_load((folder / "provider.yaml").read_text(encoding="utf-8"))
        self.title = data["title"]
        self.heading = self.title[:1].upper() + self.title[1:]
        self.roles = next(kind.get("roles", {}) for kind in data["kinds"] if kind["kind"] == "submit-request")
        self.name = folder.name
        schema = json.loads((folder / "submit-request.schema.json").read_text(encoding="utf-8"))
        self.own = set(schema.get("properties", {}))

    def field(self, role):
        """The provider's name of a role; `None` if it has no such field."""
        path = self.roles.get(role, role if role in self.own else None)
        return path[0] if isinstance(path, list) else path


    def page(self):
        """All fields of the submit request, with what each is for."""
        schema = json.loads(terminal.run("schema", f"{self.name}/submit-request"))
        text = [
            "---",
            f"title: Fields of {self.title}",
            "---",
            "",
            f"# Fields of {self.title}",
            "",
            cell(schema.get("description", "")),
            "",
            f"The same as [JSON Schema](../../schemas/{self.name}/submit-request.schema.json), for editors:",
            "",
            "```sh",
            f"tollproof schema {self.name}/submit-request > submit.schema.json",
            "```",
            "",
            f"## {self.heading}: submit request",
            "",
            "| field | | meaning |",
            "|---|---|---|",
        ]
        return "\n".join([*text, *rows(schema, schema, "")])


def rows(schema, root, prefix):
    """Rows of a table, also for the fields of objects in it."""
    required = schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        field = resolved(field, root)
        path = f"{prefix}{name}"
        must = "required" if name in required else ""
        yield f"| `{path}` | {must} | {cell(about(field))} |"
        inner, mark = field, "."
        if isinstance(field.get("items"), dict):
            inner, mark = resolved(field["items"], root), "[]."
        if inner.get("properties"):
            yield from rows(inner, root, f"{path}{mark}")


def resolved(schema, root):
    """A schema without a reference at its top."""
    while "$ref" in schema:
        other = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            other = other[part]
        schema = {**other, **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


def about(field):
    """What a field is for, and which values it takes."""
    values = field.get("enum") or (field.get("items") or {}).get("enum") if isinstance(field.get("items", {}), dict) else None
    text = field.get("description", "")
    if values and not all(str(value) in text for value in values):
        text += " Values: " + ", ".join(f"`{value}`" for value in values) + "."
    if "maxLength" in field and str(field["maxLength"]) not in text:
        text += f" At most {field['maxLength']} characters."
    return text


def cell(text):
    """Text for a cell of a table."""
    return " ".join(text.replace("|", "&#124;").replace("<", "&lt;").split())


FOLDERS = sorted(it.parent for it in (terminal.ROOT / "schemas").glob("*/provider.yaml"))
PROVIDERS = {it.name: Provider(it) for it in FOLDERS}

"""The exceptions of the package. Files that cannot be read raise an `OSError`, and wrong types a `TypeError`."""

from __future__ import annotations

from typing import Optional, Tuple


class TollproofError(ValueError):
    """An argument, a text or a setting that cannot be used.

    `place` is the line and the column in a file, both from 1 and the column in code points, or `None`. `help` says what to
    do, or is `None`.
    """

    place: Optional[Tuple[int, int]]
    help: Optional[str]

    def __init__(
        self, message: str, place: Optional[Tuple[int, int]] = None, help: Optional[str] = None
    ) -> None:
        super().__init__(message)
        self.place = place
        self.help = help

    def __str__(self) -> str:
        message = super().__str__()
        if not self.help or self.help in message:
            return message
        return f"{message}{'' if message.endswith(('.', '?')) else '.'} {self.help}"

    def __reduce__(self) -> Tuple[type, Tuple[object, ...]]:
        return type(self), (self.args[0], self.place, self.help)


class SettingsError(TollproofError):
    """Settings, rules or a baseline of the user that cannot be used. The draft is not the reason."""

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


class SubmitError(TollproofError):
    """A draft that was not submitted, or of which that is not known. `result` names the outcome as `tollproof submit` does.

    `number` is its number, and `id` that of a submission; `rules` are those whose errors refused it; `http_status` is that of
    a refusal; `attempt` is the token for `tollproof attempts`; `again_at` is when to try or to look again. Each is `None`
    where the outcome has none.
    """

    def __init__(
        self,
        message: str,
        place: Optional[Tuple[int, int]] = None,
        help: Optional[str] = None,
        *,
        result: str = "failed",
        number: Optional[str] = None,
        id: Optional[str] = None,
        rules: Tuple[str, ...] = (),
        http_status: Optional[int] = None,
        attempt: Optional[str] = None,
        again_at: Optional[str] = None,
    ) -> None:
        super().__init__(message, place, help)
        self.result = result
        self.number = number
        self.id = id
        self.rules = rules
        self.http_status = http_status
        self.attempt = attempt
        self.again_at = again_at

    def __reduce__(self) -> Tuple[object, ...]:  # type: ignore[override]
        return type(self), (self.args[0], self.place, self.help), self.__dict__


class RefusedByGate(SubmitError):
    """The draft has errors, or its number is taken: `rules` and `check` say which. Nothing was sent."""


class RejectedEarlier(SubmitError):
    """The same draft was submitted and rejected. Fix it, or pass `again=True`. Nothing was sent."""


class OpenElsewhere(SubmitError):
    """The number has an open submission that was not sent from here. Nothing was sent."""


class RefusedByProvider(SubmitError):
    """The provider refused the request, and the number is free again."""


class KeyRefused(SubmitError):
    """The key is missing, or it or its role was refused. Nothing was submitted."""


class RateLimited(SubmitError):
    """There were too many requests: try again at `again_at`. Nothing was submitted."""


class NotFinished(SubmitError):
    """The provider could not be reached. Call it again: it goes on where it ended."""


class Busy(SubmitError):
    """Another process holds the number until `again_at`. Nothing was sent."""


class Gone(SubmitError):
    """The provider has no such submission in this account any more. Nothing was sent."""


class OtherAccount(SubmitError):
    """It was sent to another account, which alone shows what became of it. Nothing was sent now."""


class OutcomeUnknown(SubmitError):
    """A request was sent, and no answer came. Call it again after `again_at`: it finds out, and sends nothing twice."""

"""Submits numbers while the first answer is lost, with each SDK and with tollproof: `lost_answers.py ADDRESS KEY [PROVIDER...]`.

The SDKs are called as their documentation shows, with their own settings for repeats: once, and by a program that calls again
after an error. `tollproof submit` is run once, and again after its error. The table says how many submissions arrived twice.
TOLLPROOF is the program.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from clients import Sandbox, arguments, fill, sample

COUNT = 10
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)
ACCOUNTS = {"twilio": "AC" + "5" * 32, "telnyx": "", "aws": "us-east-1", "bandwidth": "9900001",
            "plivo": "MASANDBOX00000000000"}
# Of tollproof, which knows accounts by the variables of each provider's own tools.
VARIABLES = {"TWILIO_ACCOUNT_SID": ACCOUNTS["twilio"], "AWS_REGION": ACCOUNTS["aws"], "BW_ACCOUNT_ID": ACCOUNTS["bandwidth"]}


def twilio(sandbox, number, name):
    draft = arguments("twilio") | {"tollfree_phone_number_sid": name, "external_reference_id": number}
    return lambda: sandbox.twilio().messaging.v1.tollfree_verifications.create(**draft)


def telnyx(sandbox, number, name):
    draft = arguments("telnyx") | {"phone_numbers": [{"phone_number": number}]}
    return lambda: sandbox.telnyx().messaging_tollfree.verification.requests.create(**draft)


def aws(sandbox, number, name):
    client = sandbox.aws()
    registration = client.create_registration(RegistrationType="US_TOLL_FREE_REGISTRATION")["RegistrationId"]
    client.create_registration_association(RegistrationId=registration, ResourceId=name)
    image = client.create_registration_attachment(AttachmentBody=PICTURE)["RegistrationAttachmentId"]
    fill(client, registration, image, sample("aws"))
    return lambda: client.submit_registration_version(RegistrationId=registration)


def bandwidth(sandbox, number, name):
    import bandwidth as sdk

    request = sdk.VerificationRequest.from_dict(sample("bandwidth") | {"phoneNumbers": [number]})
    return lambda: sandbox.bandwidth().request_toll_free_verification(ACCOUNTS["bandwidth"], request)


def plivo(sandbox, number, name):
    draft = arguments("plivo") | {"number": number}
    return lambda: sandbox.plivo().tollfree_verification.create(**draft)


def written(provider, number):
    """The sample as a draft for a number."""
    draft = sample(provider)
    field, value = {"twilio": ("TollfreePhoneNumberSid", number), "telnyx": ("phoneNumbers", [{"phoneNumber": number}]),
                    "bandwidth": ("phoneNumbers", [number]), "plivo": ("number", number), "aws": (None, None)}[provider]
    return draft | {field: value} if field else draft


def tollproof(sandbox, provider, number, folder):
    """A run of `tollproof submit`, which raises an error if it does not end well."""
    draft = folder / f"{number}.json"
    draft.write_text(json.dumps(written(provider, number)))
    (folder / Path(sample("aws")["messagingUseCase.optInImage"]).name).write_bytes(PICTURE)
    command = [os.environ["TOLLPROOF"], "submit", draft.name, "--provider", provider, "--yes", "--timeout", "1s",
               "--history", "sqlite:past.db", f"--sandbox={sandbox.address}"]
    if provider == "aws":
        command += ["--number", number]
    environment = os.environ | VARIABLES | {"TOLLPROOF_SANDBOX_KEY": sandbox.key, "HOME": str(folder)}

    def run():
        ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if ran.returncode not in (0, 5, 6):
            raise AssertionError(ran.stdout + ran.stderr)
        if ran.returncode:
            raise ConnectionError(ran.stdout)

    return run


def measure(sandbox, provider, prepare, first, again):
    """Submits numbers, and returns how many arrived twice, how many were accepted twice, and how many the caller knows of."""
    arrived = accepted = known = 0
    for number in range(first, first + COUNT):
        number = f"+18445{number:06}"
        name = f"PN{number[2:]:0>32}" if provider == "twilio" else f"id-{number[2:]}"
        owned = {"provider": provider, "account": ACCOUNTS[provider], "number": number, "id": name}
        sandbox.control("numbers", owned)
        call = prepare(sandbox, number, name)
        before = len(sandbox.ledger(provider, "submit"))
        sandbox.control("faults", {"fault": "lost-answer", "provider": provider, "operation": "submit"})
        for attempt in range(1 + again):
            try:
                call()
                known += 1
                break
            except AssertionError:
                raise
            except Exception:  # The SDKs have errors of many kinds.
                time.sleep(0.05)
        calls = sandbox.ledger(provider, "submit")[before:]
        arrived += len(calls) > 1
        accepted += sum(it["status"] < 300 for it in calls) > 1
    return arrived, accepted, known


CALLS = {call.__name__: call for call in [twilio, telnyx, aws, bandwidth, plivo]}


def main():
    sandbox = Sandbox(sys.argv[1], sys.argv[2])
    print(f"{COUNT} submissions each; the first answer is lost; how many arrived twice (accepted twice), and how many the caller knows of")
    print(f"{'provider':<12}{'SDK, one call':>20}{'SDK, called again':>20}{'tollproof, one run':>20}{'tollproof, run again':>22}")
    first, ours = 0, 0
    for provider in sys.argv[3:] or CALLS:
        cells = []
        with tempfile.TemporaryDirectory() as folder:
            run = lambda sandbox, number, _: tollproof(sandbox, provider, number, Path(folder))
            for prepare in [CALLS[provider], run]:
                for again in (0, 1):
                    arrived, accepted, known = measure(sandbox, provider, prepare, first, again)
                    ours += arrived if prepare is run and provider != "aws" else accepted if prepare is run else 0
                    cells.append(f"{arrived} ({accepted}), {known}")
                    first += COUNT
        print(f"{provider:<12}{cells[0]:>20}{cells[1]:>20}{cells[2]:>20}{cells[3]:>22}")
    assert ours == 0, "tollproof submitted a number twice"


main()

"""The providers' own SDKs, unchanged, with the sandbox in place of the provider; and what they submit."""

import json
import urllib.request
from pathlib import Path

SCHEMAS = Path(__file__).parents[2] / "schemas"


class Sandbox:
    """The sandbox at an address, with its key."""

    def __init__(self, address, key):
        self.address, self.key = address, key

    def control(self, what, body):
        """Calls the sandbox's own interface."""
        request = urllib.request.Request(f"{self.address}/_sandbox/{what}", json.dumps(body).encode())
        return json.load(urllib.request.urlopen(request))

    def ledger(self, provider, operation):
        """The calls of an operation that arrived."""
        query = f"provider={provider}&operation={operation}"
        return json.load(urllib.request.urlopen(f"{self.address}/_sandbox/ledger?{query}"))["calls"]

    def twilio(self):
        from twilio.http.http_client import TwilioHttpClient
        from twilio.rest import Client

        address = self.address

        class Mapped(TwilioHttpClient):
            """Sends to the sandbox what is for Twilio's hosts."""

            HOSTS = {"https://api.twilio.com": "/twilio/api", "https://messaging.twilio.com": "/twilio/messaging"}

            def request(self, method, url, *arguments, **named):
                for host, path in self.HOSTS.items():
                    if url.startswith(host):
                        url = address + path + url.removeprefix(host)
                return super().request(method, url, *arguments, **named)

        return Client("AC" + "5" * 32, self.key, http_client=Mapped())

    def telnyx(self, **options):
        import telnyx

        return telnyx.Telnyx(api_key=self.key, base_url=f"{self.address}/telnyx/v2", **options)

    def aws(self, secret=None, **options):
        import boto3

        return boto3.client(
            "pinpoint-sms-voice-v2", endpoint_url=f"{self.address}/aws", region_name="us-east-1",
            aws_access_key_id="AKIDSANDBOX", aws_secret_access_key=secret or self.key, **options,
        )

    def bandwidth(self):
        import bandwidth
        from bandwidth.api.toll_free_verification_api import TollFreeVerificationApi

        host = f"{self.address}/bandwidth/api/v2"
        configuration = bandwidth.Configuration(host=host, username="user", password=self.key)
        configuration.ignore_operation_servers = True
        return TollFreeVerificationApi(bandwidth.ApiClient(configuration))

    def plivo(self):
        import plivo
        from plivo.rest import client as rest

        # The SDK has its address as a constant.
        rest.PLIVO_API_BASE_URI = rest.API_VOICE_BASE_URI = f"{self.address}/plivo/v1/Account"
        client = plivo.RestClient("MASANDBOX00000000000", self.key)
        client.base_uri = rest.PLIVO_API_BASE_URI
        return client


def sample(provider):
    """A submission without a finding."""
    return json.loads((SCHEMAS / provider / "samples" / "submit-request.json").read_text())


def snake(name):
    """`useCaseSummary` as `use_case_summary`."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


def arguments(provider):
    """The sample as arguments of the SDK."""
    words = {"optInWorkflowImageURLs": "opt_in_workflow_image_urls", "privacyPolicyURL": "privacy_policy_url",
             "termsAndConditionURL": "terms_and_condition_url"}
    if provider in ("twilio", "telnyx"):
        return {words.get(name, snake(name)): value for name, value in sample(provider).items()}
    return sample(provider)


def fill(client, registration, image, fields):
    """Fills the fields of a registration of AWS."""
    kind = "US_TOLL_FREE_REGISTRATION"
    definitions = client.describe_registration_field_definitions(RegistrationType=kind)["RegistrationFieldDefinitions"]
    kinds = {it["FieldPath"]: it["FieldType"] for it in definitions}
    for path, value in fields.items():
        values = {"TEXT": {"TextValue": value}, "SELECT": {"SelectChoices": [value]},
                  "ATTACHMENT": {"RegistrationAttachmentId": image}}
        client.put_registration_field_value(FieldPath=path, **values[kinds[path]], RegistrationId=registration)

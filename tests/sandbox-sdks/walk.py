"""Walks the providers' own SDKs, unchanged, through the sandbox: `walk.py ADDRESS KEY [PROVIDER...]`.

Each walk goes as far as the SDK does: search, buy, submit, a duplicate refused, a rejection with its reason, an update, the
approval, a list and a deletion.
"""

import json
import sys
import urllib.request
from pathlib import Path

SANDBOX, KEY = sys.argv[1], sys.argv[2]
SCHEMAS = Path(__file__).parents[2] / "schemas"


def sample(provider):
    """A submission without a finding."""
    return json.loads((SCHEMAS / provider / "samples" / "submit-request.json").read_text())


def control(what, body):
    """Calls the sandbox's own interface."""
    request = urllib.request.Request(f"{SANDBOX}/_sandbox/{what}", json.dumps(body).encode())
    return json.load(urllib.request.urlopen(request))


def snake(name):
    """`useCaseSummary` as `use_case_summary`."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


def refused(error, call, *arguments, **named):
    """Expects that a call is refused."""
    try:
        call(*arguments, **named)
    except error as refusal:
        return refusal
    raise AssertionError("a duplicate was accepted")


def twilio():
    from twilio.base.exceptions import TwilioRestException
    from twilio.http.http_client import TwilioHttpClient
    from twilio.rest import Client

    class Mapped(TwilioHttpClient):
        """Sends to the sandbox what is for Twilio's hosts."""

        HOSTS = {"https://api.twilio.com": "/twilio/api", "https://messaging.twilio.com": "/twilio/messaging"}

        def request(self, method, url, *arguments, **named):
            for host, path in self.HOSTS.items():
                if url.startswith(host):
                    url = SANDBOX + path + url.removeprefix(host)
            return super().request(method, url, *arguments, **named)

    client = Client("AC" + "5" * 32, KEY, http_client=Mapped())
    found = client.available_phone_numbers("US").toll_free.list(limit=1)
    number = client.incoming_phone_numbers.create(phone_number=found[0].phone_number)
    assert client.incoming_phone_numbers.list(phone_number=number.phone_number)[0].sid == number.sid
    draft = {snake(name): value for name, value in sample("twilio").items()} | {"tollfree_phone_number_sid": number.sid}
    good = {name: draft[name] for name in ["additional_information", "use_case_summary"]}
    verifications = client.messaging.v1.tollfree_verifications
    submitted = verifications.create(**draft | {"additional_information": "Online.", "use_case_summary": "Texts."})
    assert submitted.status == "PENDING_REVIEW"
    assert refused(TwilioRestException, verifications.create, **draft).status == 400
    found = verifications.list(external_reference_id=draft["external_reference_id"])
    assert [it.sid for it in found] == [submitted.sid]
    rejected = verifications(submitted.sid).fetch()
    assert rejected.status == "TWILIO_REJECTED" and rejected.edit_allowed and rejected.rejection_reasons
    assert rejected.edit_expiration > rejected.date_created
    verifications(submitted.sid).update(**good, edit_reason="More words")
    assert verifications(submitted.sid).fetch().status == "TWILIO_APPROVED"
    assert verifications(submitted.sid).delete()
    assert verifications.list() == []


def telnyx():
    import telnyx

    # Without repeats: a duplicate is one call.
    client = telnyx.Telnyx(api_key=KEY, base_url=f"{SANDBOX}/telnyx/v2", max_retries=0)
    wanted = {"phone_number_type": "toll_free", "country_code": "US", "features": ["sms"], "limit": 1}
    number = client.available_phone_numbers.list(filter=wanted).data[0].phone_number
    order = client.number_orders.create(phone_numbers=[{"phone_number": number}], customer_reference="token-1")
    assert order.data.status == "success"
    assert client.number_orders.retrieve(order.data.id).data.customer_reference == "token-1"
    words = {"optInWorkflowImageURLs": "opt_in_workflow_image_urls", "privacyPolicyURL": "privacy_policy_url",
             "termsAndConditionURL": "terms_and_condition_url"}
    draft = {words.get(name, snake(name)): value for name, value in sample("telnyx").items()}
    draft["phone_numbers"] = [{"phone_number": number}]
    requests = client.messaging_tollfree.verification.requests
    submitted = requests.create(**draft | {"opt_in_workflow": "Online."})
    assert submitted.verification_status == "In Progress"
    assert refused(telnyx.BadRequestError, requests.create, **draft).status_code == 400
    assert requests.list(page=1, page_size=10, phone_number=number).records[0].id == submitted.id
    rejected = requests.retrieve(submitted.id)
    assert rejected.verification_status == "Rejected" and rejected.reason
    requests.update(submitted.id, **draft)
    assert requests.retrieve(submitted.id).verification_status == "Verified"
    history = requests.retrieve_status_history(submitted.id, page_number=1, page_size=10).records
    assert [it.verification_status for it in history] == ["Verified", "In Progress", "Rejected", "In Progress"]


def aws():
    """Every answer is also compared with the model of the API that boto3 contains."""
    import boto3
    from botocore.config import Config
    from botocore.exceptions import ClientError
    from botocore.validate import ParamValidator

    def compare(parsed, model, **_):
        if "Error" not in parsed:
            body = {name: value for name, value in parsed.items() if name != "ResponseMetadata"}
            problems = ParamValidator().validate(body, model.output_shape)
            assert not problems.has_errors(), f"{model.name}: {problems.generate_report()}"
            unknown = body.keys() - model.output_shape.members.keys()
            assert not unknown, f"{model.name}: {unknown}"

    def connect(secret=KEY, attempts=1):
        new = boto3.client(
            "pinpoint-sms-voice-v2", endpoint_url=f"{SANDBOX}/aws", region_name="us-east-1",
            aws_access_key_id="AKIDSANDBOX", aws_secret_access_key=secret,
            config=Config(retries={"total_max_attempts": attempts}),
        )
        new.meta.events.register("after-call.*.*", compare)
        return new

    def reason(call, *arguments, **named):
        """Why a call is refused."""
        answer = refused(ClientError, call, *arguments, **named).response
        return answer["Error"]["Code"], answer.get("Reason")

    client = connect()
    wanted = {"IsoCountryCode": "US", "MessageType": "TRANSACTIONAL", "NumberCapabilities": ["SMS"], "NumberType": "TOLL_FREE"}
    number = client.request_phone_number(**wanted)
    kind = "US_TOLL_FREE_REGISTRATION"
    registration = client.create_registration(RegistrationType=kind, ClientToken="one")["RegistrationId"]
    assert client.create_registration(RegistrationType=kind, ClientToken="one")["RegistrationId"] == registration
    of = {"RegistrationId": registration}
    assert reason(client.submit_registration_version, **of) == ("ConflictException", "REGISTRATION_NOT_COMPLETE")
    client.create_registration_association(ResourceId=number["PhoneNumberArn"], **of)
    associated = client.list_registration_associations(**of)["RegistrationAssociations"]
    assert associated[0]["PhoneNumber"] == number["PhoneNumber"]
    picture = b"\x89PNG\r\n\x1a\n" + bytes(64)
    image = client.create_registration_attachment(AttachmentBody=picture)["RegistrationAttachmentId"]
    attachments = client.describe_registration_attachments(RegistrationAttachmentIds=[image])
    assert attachments["RegistrationAttachments"][0]["AttachmentStatus"] == "UPLOAD_COMPLETE"
    client.describe_registration_section_definitions(RegistrationType=kind)
    client.describe_registration_type_definitions()
    definitions = client.describe_registration_field_definitions(RegistrationType=kind)["RegistrationFieldDefinitions"]
    kinds = {it["FieldPath"]: it["FieldType"] for it in definitions}

    def fill(fields):
        for path, value in fields.items():
            values = {"TEXT": {"TextValue": value}, "SELECT": {"SelectChoices": [value]},
                      "ATTACHMENT": {"RegistrationAttachmentId": image}}
            client.put_registration_field_value(FieldPath=path, **values[kinds[path]], **of)

    def newest():
        return client.describe_registration_versions(**of)["RegistrationVersions"][0]

    fill(sample("aws") | {"messagingUseCase.optInDescription": "Online."})
    wrong = {"FieldPath": "companyInfo.businessType", "SelectChoices": ["x"]}
    assert reason(client.put_registration_field_value, **wrong, **of) == ("ValidationException", "FIELD_VALIDATION_FAILED")
    client.submit_registration_version(**of)
    arrived = ("ConflictException", "REGISTRATION_ALREADY_SUBMITTED")
    assert reason(client.submit_registration_version, **of) == arrived
    assert newest()["RegistrationVersionStatus"] == "DENIED" and newest()["DeniedReasons"]
    client.create_registration_version(**of)
    fill(sample("aws"))
    # The answer is lost, boto3 sends the call again, and the second one says that the first one arrived.
    repeating = connect(attempts=3)
    control("faults", {"fault": "lost-answer", "provider": "aws", "operation": "submit"})
    assert reason(repeating.submit_registration_version, **of) == arrived
    assert newest()["RegistrationVersionStatus"] == "APPROVED"
    listed = client.describe_registrations(Filters=[{"Name": "registration-status", "Values": ["COMPLETE"]}])
    assert [it["RegistrationId"] for it in listed["Registrations"]] == [registration]
    pages = client.get_paginator("describe_registration_field_values").paginate(PaginationConfig={"PageSize": 7}, **of)
    values = [it["FieldPath"] for page in pages for it in page["RegistrationFieldValues"]]
    assert sorted(values) == sorted(sample("aws"))
    assert client.describe_phone_numbers()["PhoneNumbers"][0]["Status"] == "ACTIVE"
    # A purchase with a lost answer is repeated with its token, and buys one number; a throttled call is repeated too.
    control("faults", {"fault": "lost-answer", "provider": "aws", "operation": "buy"})
    control("faults", {"fault": "429", "provider": "aws", "operation": "numbers"})
    repeating.request_phone_number(**wanted)
    assert len(repeating.describe_phone_numbers()["PhoneNumbers"]) == 2
    assert reason(connect(secret="other").describe_registrations) == ("InvalidSignatureException", None)
    client.delete_registration(**of)
    client.release_phone_number(PhoneNumberId=number["PhoneNumberId"])
    assert reason(client.describe_registrations, RegistrationIds=[registration])[0] == "ResourceNotFoundException"


def bandwidth():
    # The SDK cannot buy numbers.
    import bandwidth
    from bandwidth.api.toll_free_verification_api import TollFreeVerificationApi

    account, number = "9900001", "+18335550123"
    control("numbers", {"provider": "bandwidth", "account": account, "number": number, "id": number})
    configuration = bandwidth.Configuration(host=f"{SANDBOX}/bandwidth/api/v2", username="user", password=KEY)
    configuration.ignore_operation_servers = True
    api = TollFreeVerificationApi(bandwidth.ApiClient(configuration))
    draft = sample("bandwidth") | {"phoneNumbers": [number]}
    bad = draft | {"optInWorkflow": draft["optInWorkflow"] | {"description": "Online."}}
    request = bandwidth.VerificationRequest.from_dict(bad)
    api.request_toll_free_verification(account, request)
    assert refused(bandwidth.exceptions.BadRequestException, api.request_toll_free_verification, account, request).status == 400
    denied = api.get_toll_free_verification_status(account, number)
    assert denied.status == "UNVERIFIED" and denied.resubmit_allowed and denied.decline_reason_description
    del draft["phoneNumbers"]
    update = bandwidth.TfvSubmissionWrapper.from_dict({"submission": draft})
    api.update_toll_free_verification_request(account, number, update)
    verified = api.get_toll_free_verification_status(account, number)
    assert verified.status == "VERIFIED" and verified.submission.use_case == draft["useCase"]
    assert "2FA" in api.list_toll_free_use_cases()
    api.delete_verification_request(account, number)


def plivo():
    import plivo
    from plivo.exceptions import PlivoRestError
    from plivo.rest import client as rest

    # The SDK has its address as a constant.
    rest.PLIVO_API_BASE_URI = rest.API_VOICE_BASE_URI = f"{SANDBOX}/plivo/v1/Account"
    client = plivo.RestClient("MASANDBOX00000000000", KEY)
    client.base_uri = rest.PLIVO_API_BASE_URI
    number = client.numbers.search(country_iso="US", type="tollfree", limit=1)["objects"][0]["number"]
    client.numbers.buy(number)
    draft = sample("plivo") | {"number": number}
    verifications = client.tollfree_verification
    submitted = verifications.create(**draft | {"usecase_summary": "Codes.", "additional_information": "Online."})
    refused(PlivoRestError, verifications.create, **draft)
    asked = verifications.get(submitted.uuid)
    assert asked.status == "UPDATE_REQUIRED" and asked.error_message
    assert verifications.list(number=number)[0].uuid == submitted.uuid
    good = {name: draft[name] for name in ["usecase_summary", "additional_information"]}
    verifications.update(submitted.uuid, **good)
    assert verifications.get(submitted.uuid).status == "APPROVED"
    verifications.delete(submitted.uuid)


WALKS = {walk.__name__: walk for walk in [twilio, telnyx, aws, bandwidth, plivo]}
for name in sys.argv[3:] or WALKS:
    WALKS[name]()
    print(f"{name}: ok")

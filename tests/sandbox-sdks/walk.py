"""Walks the providers' own SDKs, unchanged, through the sandbox: `walk.py ADDRESS KEY [PROVIDER...]`.

Each walk goes as far as the SDK does: search, buy, submit, a duplicate refused, a rejection with its reason, an update, the
approval, a list and a deletion.
"""

import sys

from clients import Sandbox, arguments, fill, sample

SANDBOX = Sandbox(sys.argv[1], sys.argv[2])


def refused(error, call, *arguments, **named):
    """Expects that a call is refused."""
    try:
        call(*arguments, **named)
    except error as refusal:
        return refusal
    raise AssertionError("a duplicate was accepted")


def twilio():
    from twilio.base.exceptions import TwilioRestException

    client = SANDBOX.twilio()
    found = client.available_phone_numbers("US").toll_free.list(limit=1)
    number = client.incoming_phone_numbers.create(phone_number=found[0].phone_number)
    assert client.incoming_phone_numbers.list(phone_number=number.phone_number)[0].sid == number.sid
    draft = arguments("twilio") | {"tollfree_phone_number_sid": number.sid}
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
    client = SANDBOX.telnyx(max_retries=0)
    wanted = {"phone_number_type": "toll_free", "country_code": "US", "features": ["sms"], "limit": 1}
    number = client.available_phone_numbers.list(filter=wanted).data[0].phone_number
    order = client.number_orders.create(phone_numbers=[{"phone_number": number}], customer_reference="token-1")
    assert order.data.status == "success"
    assert client.number_orders.retrieve(order.data.id).data.customer_reference == "token-1"
    draft = arguments("telnyx")
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

    def connect(secret=None, attempts=1):
        new = SANDBOX.aws(secret, config=Config(retries={"total_max_attempts": attempts}))
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

    def newest():
        return client.describe_registration_versions(**of)["RegistrationVersions"][0]

    fill(client, registration, image, sample("aws") | {"messagingUseCase.optInDescription": "Online."})
    wrong = {"FieldPath": "companyInfo.businessType", "SelectChoices": ["x"]}
    assert reason(client.put_registration_field_value, **wrong, **of) == ("ValidationException", "FIELD_VALIDATION_FAILED")
    client.submit_registration_version(**of)
    arrived = ("ConflictException", "REGISTRATION_ALREADY_SUBMITTED")
    assert reason(client.submit_registration_version, **of) == arrived
    assert newest()["RegistrationVersionStatus"] == "DENIED" and newest()["DeniedReasons"]
    client.create_registration_version(**of)
    fill(client, registration, image, sample("aws"))
    # The answer is lost, boto3 sends the call again, and the second one says that the first one arrived.
    repeating = connect(attempts=3)
    SANDBOX.control("faults", {"fault": "lost-answer", "provider": "aws", "operation": "submit"})
    assert reason(repeating.submit_registration_version, **of) == arrived
    assert newest()["RegistrationVersionStatus"] == "APPROVED"
    listed = client.describe_registrations(Filters=[{"Name": "registration-status", "Values": ["COMPLETE"]}])
    assert [it["RegistrationId"] for it in listed["Registrations"]] == [registration]
    pages = client.get_paginator("describe_registration_field_values").paginate(PaginationConfig={"PageSize": 7}, **of)
    values = [it["FieldPath"] for page in pages for it in page["RegistrationFieldValues"]]
    assert sorted(values) == sorted(sample("aws"))
    assert client.describe_phone_numbers()["PhoneNumbers"][0]["Status"] == "ACTIVE"
    # A purchase with a lost answer is repeated with its token, and buys one number; a throttled call is repeated too.
    SANDBOX.control("faults", {"fault": "lost-answer", "provider": "aws", "operation": "buy"})
    SANDBOX.control("faults", {"fault": "429", "provider": "aws", "operation": "numbers"})
    repeating.request_phone_number(**wanted)
    assert len(repeating.describe_phone_numbers()["PhoneNumbers"]) == 2
    assert reason(connect(secret="other").describe_registrations) == ("InvalidSignatureException", None)
    client.delete_registration(**of)
    client.release_phone_number(PhoneNumberId=number["PhoneNumberId"])
    assert reason(client.describe_registrations, RegistrationIds=[registration])[0] == "ResourceNotFoundException"


def bandwidth():
    # The SDK cannot buy numbers.
    import bandwidth

    account, number = "9900001", "+18335550123"
    SANDBOX.control("numbers", {"provider": "bandwidth", "account": account, "number": number, "id": number})
    api = SANDBOX.bandwidth()
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
    from plivo.exceptions import PlivoRestError

    client = SANDBOX.plivo()
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

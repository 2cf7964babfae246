"""Walks `tollproof mcp` with the official client of the protocol: walk.py PROGRAM

Reviews a draft as an assistant does: check, questions, answer. The client compares every message with the protocol.
"""

import asyncio
import pathlib
import shutil
import sys
import tempfile

from mcp import Client, ClientSession, MCPError, StdioServerParameters, stdio_client
from mcp.types import Implementation

TOOLS = {"check", "questions", "answer", "explain", "convert", "preview", "rule"}
DRAFTS = pathlib.Path(__file__).parent.parent / "drafts"


async def structured(client, tool, **arguments):
    """What a tool returns."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    return result.structured_content


def answers(request):
    """The last answer that is offered, and the beginning of a text as quote: careless, and verifiable."""
    given = {}
    for group in request["questions"]:
        text = request["fields"][group["fields"][0]]
        quote = text.split("[")[0].split("\n")[0].split('"')[0].strip()
        for question in group["ask"]:
            given[question["id"]] = {"answer": question.get("answers", ["yes", "no"])[-1], "quote": quote, "sure": True}
    return given


async def review(client):
    """All tools, resources and prompts."""
    tools = (await client.list_tools()).tools
    assert {it.name for it in tools} == TOOLS, tools
    assert [it.name for it in tools if not it.annotations.read_only_hint] == ["answer"]
    before = await structured(client, "check", path=".")
    assert before["summary"]["documents"] == 2 and before["summary"]["errors"] > 0
    asked = await structured(client, "questions", path="harbor-dental.json")
    request = asked["requests"][0]
    answered = await structured(
        client, "answer", path="harbor-dental.json", id=request["id"], answers=answers(request)
    )
    assert answered["stored"] == ".tollproof/readings.ndjson" and answered["kept"], answered
    after = await structured(client, "check", path="harbor-dental.json")
    assert after["findings"] == answered["report"]["findings"]
    assert any(it.get("readBy") == "mcp official-client" for it in after["findings"]), after
    assert not (await structured(client, "questions", path="harbor-dental.json"))["requests"]
    converted = await structured(client, "convert", path="harbor-dental.json", to="twilio")
    assert "BusinessName" in converted["payload"]
    preview = await structured(client, "preview", text="Acme: your table is ready. Reply STOP to opt out.")
    assert preview["messages"][0]["segments"] == 1
    explained = await structured(client, "explain", path="harbor-dental.json", answer="30498 Opt-in workflow")
    assert explained["findings"]
    rule = await structured(client, "rule", id="opt-in/vague-description")
    assert rule["rules"][0]["question"]
    refused = await client.call_tool("check", {"path": "../walk.py"})
    assert refused.is_error and "outside" in refused.content[0].text, refused

    for resource in (await client.list_resources()).resources:
        assert (await client.read_resource(resource.uri)).contents[0].text
    assert len((await client.list_resource_templates()).resource_templates) == 2
    assert (await client.read_resource("tollproof://rules/contact/free-mail")).contents[0].text
    prompt = (await client.list_prompts()).prompts[0]
    got = await client.get_prompt(prompt.name, {"path": "cedar-auto.json"})
    assert "cedar-auto.json" in got.messages[0].content.text
    try:
        await client.call_tool("submit", {})
        raise AssertionError("an unknown tool is an error")
    except MCPError as error:
        assert error.error.code == -32602, error


def folder():
    """A folder with two drafts."""
    path = tempfile.mkdtemp(prefix="tollproof-mcp-")
    for name in ["harbor-dental.json", "cedar-auto.json"]:
        shutil.copy(DRAFTS / name, path)
    return path


async def main(program):
    info = Implementation(name="official-client", version="1")
    # With `initialize`, as most assistants begin.
    path = folder()
    async with stdio_client(StdioServerParameters(command=program, args=["mcp", path])) as (read, write):
        async with ClientSession(read, write, client_info=info) as session:
            begun = await session.initialize()
            assert begun.server_info.name == "tollproof" and begun.instructions, begun
            await session.send_ping()
            await review(session)
    shutil.rmtree(path)
    # With the newest version of the protocol that both know.
    path = folder()
    async with Client(
        stdio_client(StdioServerParameters(command=program, args=["mcp", path])), client_info=info
    ) as client:
        newest = client.protocol_version
        await review(client)
    shutil.rmtree(path)
    print(f"the official client reviewed a draft: protocol {begun.protocol_version} and {newest}")


asyncio.run(asyncio.wait_for(main(sys.argv[1]), 120))

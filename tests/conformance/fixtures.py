"""What the conformance suite asks for by name, made of the product's own parts: tools, resources, prompts."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from taskpilot.app import Errand
from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.events import Event
from taskpilot.domain.operation import reads
from taskpilot.store.work import Work
from taskpilot.toolkit import (
    Args,
    Audio,
    Contract,
    Document,
    Image,
    Library,
    Prompt,
    PromptArgument,
    Reply,
    Resource,
    Suggestion,
    Template,
    errand,
    tool,
)

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360f8cfc000000301010018dd8db00000000049454e44ae426082"
)
SILENCE = bytes.fromhex("524946462400000057415645666d74201000000001000100401f0000803e0000020010006461746100000000")
ADDRESS = {
    "$anchor": "addressDef",
    "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
}
FULL_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": ADDRESS},
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


@reads
def look(work: Work) -> None: ...


class NoArgs(Args):
    pass


class HeaderArgs(Args):
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})] = ""
    query: str = ""


@tool(look, title="Text", name="test_simple_text")
def simple_text(_: Work, args: NoArgs) -> Reply:
    """Words."""
    return Reply("This is a simple text response for testing.")


@tool(look, title="Image", name="test_image_content")
def image_content(_: Work, args: NoArgs) -> Reply:
    """A picture."""
    return Reply("One pixel.", extras=(Image(data=PIXEL),))


@tool(look, title="Audio", name="test_audio_content")
def audio_content(_: Work, args: NoArgs) -> Reply:
    """A sound."""
    return Reply("Silence.", extras=(Audio(data=SILENCE),))


@tool(look, title="Resource", name="test_embedded_resource")
def embedded_resource(_: Work, args: NoArgs) -> Reply:
    """A resource inside the answer."""
    return Reply(
        "See:", extras=(Document(uri="test://embedded-resource", text="This is an embedded resource content."),)
    )


@tool(look, title="Everything", name="test_multiple_content_types")
def multiple_content_types(_: Work, args: NoArgs) -> Reply:
    """Words, a picture and a resource."""
    document = Document(
        uri="test://mixed-content-resource", text='{"test":"data","value":123}', mime="application/json"
    )
    return Reply("Multiple content types test:", extras=(Image(data=PIXEL), document))


@tool(look, title="Error", name="test_error_handling")
def error_handling(_: Work, args: NoArgs) -> Reply:
    """Fails."""
    raise Invalid("This tool intentionally returns an error for testing")


@errand(title="Progress", name="test_tool_with_progress")
def tool_with_progress(trip: Errand, args: NoArgs) -> Reply:
    """Tells how far it is."""
    for done in (0, 50, 100):
        trip.tell(done, 100)
        time.sleep(0.05)
    return Reply("Done.")


@tool(look, title="Headers", name="test_custom_headers")
def custom_headers(_: Work, args: HeaderArgs) -> Reply:
    """One argument is repeated in a header."""
    return Reply(f"{args.region} {args.query}")


@tool(look, title="Schema", schema=FULL_SCHEMA, check=lambda given: given)
def json_schema_2020_12_tool(_: Work, args: NoArgs) -> Reply:
    """A schema with every keyword of 2020-12."""
    return Reply("Fine.")


def ask_always(_: Work, args: Any) -> str:
    return "Please confirm"


@tool(look, title="Streaming", name="test_streaming_elicitation", confirm=ask_always)
def streaming_elicitation(_: Work, args: NoArgs) -> Reply:
    """Asks first."""
    return Reply("Confirmed.")


@tool(look, title="State", name="test_input_required_result_request_state", confirm=ask_always)
def input_required_result_request_state(_: Work, args: NoArgs) -> Reply:
    """Asks first, and knows its own question again."""
    return Reply("state-ok")


@tool(look, title="Tampered", name="test_input_required_result_tampered_state", confirm=ask_always)
def input_required_result_tampered_state(_: Work, args: NoArgs) -> Reply:
    """Asks first, and knows its own question again."""
    return Reply("state-ok")


TEMPLATE = re.compile(r"test://template/([^/]+)/data")
STATIC = {
    "test://static-text": Document(uri="test://static-text", text="This is the content of the static text resource."),
    "test://static-binary": Document(uri="test://static-binary", blob=PIXEL, mime="image/png"),
    "test://watched-resource": Document(uri="test://watched-resource", text="Watched."),
}


@reads
def shelve(work: Work) -> Sequence[Resource]:
    return [Resource(uri=uri, name=uri, mime=document.mime) for uri, document in STATIC.items()]


@reads
def read(work: Work, uri: str) -> Sequence[Document]:
    if uri in STATIC:
        return [STATIC[uri]]
    if found := TEMPLATE.fullmatch(uri):
        told = {"id": found[1], "templateTest": True, "data": f"Data for ID: {found[1]}"}
        return [Document(uri=uri, text=json.dumps(told), mime="application/json")]
    raise NotFound("There is no such resource.")


def touched(_: Event) -> Sequence[str]:
    return ["test://watched-resource"]


def reshelved(event: Event) -> bool:
    return event.kind == "task.created"


@reads
def render_simple(work: Work, arguments: Mapping[str, str]) -> str:
    return "This is a simple prompt for testing."


@reads
def render_arguments(work: Work, arguments: Mapping[str, str]) -> str:
    return f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"


@reads
def render_resource(work: Work, arguments: Mapping[str, str]) -> Sequence[Any]:
    document = Document(uri=arguments["resourceUri"], text="Embedded resource content for testing.")
    return [document, "Please process the embedded resource above."]


@reads
def render_image(work: Work, arguments: Mapping[str, str]) -> Sequence[Any]:
    return [Image(data=PIXEL), "Please analyze the image above."]


@reads
def complete(work: Work, asked: Suggestion) -> Sequence[str]:
    return [word for word in ("paris", "park", "party") if word.startswith(asked.begun)]


CONTRACT = Contract(
    name="native",  # so that it is at /mcp
    title="Conformance",
    instructions="",
    tools=(
        simple_text,
        image_content,
        audio_content,
        embedded_resource,
        multiple_content_types,
        error_handling,
        tool_with_progress,
        custom_headers,
        json_schema_2020_12_tool,
        streaming_elicitation,
        input_required_result_request_state,
        input_required_result_tampered_state,
    ),
    library=Library(
        shelve=shelve,
        read=read,
        templates=(Template(uri="test://template/{id}/data", name="template"),),
        touched=touched,
        reshelved=reshelved,
    ),
    prompts=(
        Prompt(name="test_simple_prompt", title="Simple", description="A prompt.", render=render_simple),
        Prompt(
            name="test_prompt_with_arguments",
            title="Arguments",
            description="A prompt with arguments.",
            render=render_arguments,
            arguments=(
                PromptArgument(name="arg1", description="First.", required=True),
                PromptArgument(name="arg2", description="Second.", required=True),
            ),
        ),
        Prompt(
            name="test_prompt_with_embedded_resource",
            title="Resource",
            description="A prompt with a resource.",
            render=render_resource,
            arguments=(PromptArgument(name="resourceUri", description="Which.", required=True),),
        ),
        Prompt(
            name="test_prompt_with_image", title="Image", description="A prompt with a picture.", render=render_image
        ),
    ),
    complete=complete,
)

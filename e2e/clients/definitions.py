"""Holds definitions against the rules of the APIs that they are for.

definitions.py URL NAME...: each tool's definition in each format. Gemini's are read by Google's
own client, which knows no other keyword; the others are checked as JSON Schema. Prints breaches as
JSON.
"""

import json
import re
import sys
import urllib.request

from google.genai import types
from jsonschema import Draft202012Validator, FormatChecker

NAMES = {
    "openai": "[a-zA-Z0-9_-]{1,64}",
    "anthropic": "[a-zA-Z0-9_-]{1,128}",
    "gemini": "[a-zA-Z_][a-zA-Z0-9_-]{0,63}",
}
PARAMETERS = {"anthropic": "[a-zA-Z0-9_.-]{1,64}", "gemini": "[a-zA-Z_][a-zA-Z0-9_]{0,63}"}
AT_NO_ROOT = {"$ref", "allOf", "anyOf", "const", "enum", "not", "oneOf"}


def main(url: str, names: list[str]) -> None:
    breaches = []
    for format in NAMES:
        called = set()
        for name in names:
            answer = search(url, {"query": name, "limit": 1, "format": format})
            tool = answer["tools"][0]
            found = list(check(format, answer["definitions"][0], tool))
            if tool["name"] != name or tool["calledAs"] in called:
                found.append(f"is {tool['name']}, called {tool['calledAs']}")
            called.add(tool["calledAs"])
            breaches += [[format, name, breach] for breach in found]
    print(json.dumps(breaches))


def search(url: str, body: dict) -> dict:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}/tool-search", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def check(format: str, definition: dict, tool: dict):
    """What the API would refuse."""
    if format == "gemini":
        types.Tool.model_validate(definition)
        function = definition["functionDeclarations"][0]
        schema = function.get("parameters", {"properties": {}})
        yield from check_subset(schema, "") if "parameters" in function else ()
    elif format == "openai":
        function = definition["function"]
        schema = function["parameters"]
        if len(function["description"]) > 1024:
            yield "its description is too long"
        yield from (f"{at} has no items" for at in lists_of_nothing(schema, ""))
    else:
        function = definition
        schema = function["input_schema"]
    if format != "gemini":
        # By default regular expressions are compiled too, as OpenAI does.
        checker = {} if format == "openai" else {"format_checker": FormatChecker([])}
        Draft202012Validator.check_schema(schema, **checker)
        if schema["type"] != "object" or AT_NO_ROOT & set(schema):
            yield "its root is no plain object"
    if function["name"] != tool["calledAs"] or not re.fullmatch(NAMES[format], function["name"]):
        yield f"its name is {function['name']}"
    if format in PARAMETERS:
        for key in schema["properties"]:
            if not re.fullmatch(PARAMETERS[format], key):
                yield f"a parameter is {key}"


def lists_of_nothing(schema: object, at: str):
    """Arrays without items, which OpenAI refuses."""
    if isinstance(schema, dict):
        kinds = schema.get("type", [])
        if "array" in ([kinds] if isinstance(kinds, str) else kinds) and "items" not in schema:
            yield at
        for key, value in schema.items():
            if key not in ("const", "default", "enum", "examples"):
                yield from lists_of_nothing(value, f"{at}/{key}")
    elif isinstance(schema, list):
        for value in schema:
            yield from lists_of_nothing(value, at)


def check_subset(schema: dict, at: str):
    """What Gemini refuses although its client takes it."""
    if "anyOf" in schema:
        if len(schema) > 1:
            yield f"{at} has more beside anyOf"
        for branch in schema["anyOf"]:
            yield from check_subset(branch, at)
        return
    kind = schema.get("type")
    if kind == "OBJECT":
        properties = schema.get("properties", {})
        if not properties or set(schema.get("required", [])) - set(properties):
            yield f"{at} lacks properties"
        for key, value in properties.items():
            yield from check_subset(value, f"{at}/{key}")
    elif {"properties", "required"} & set(schema):
        yield f"{at} is no object and has properties"
    if kind == "ARRAY":
        yield from check_subset(schema["items"], f"{at}/items")
    if "enum" in schema and not (kind == "STRING" and all(schema["enum"])):
        yield f"{at} has values that aren't text"
    if kind is None:
        yield f"{at} has no type"


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

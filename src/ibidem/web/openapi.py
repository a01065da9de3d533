"""The page of OpenAPI 3.1 that describes a server, made of its operations and the types that they name."""

from collections.abc import Sequence
from typing import Any

import msgspec

import ibidem
from ibidem.web import answers
from ibidem.web.operations import PROBLEMS, File, Operation

_Schemas = dict[Any, Any]


def describe_api(operations: Sequence[Operation]) -> dict[str, Any]:
    """The page."""
    types = {operation.takes for operation in operations} | {answers.Health, answers.Problem}
    types |= {operation.gives for operation in operations if operation.gives is not File}
    schema_types = sorted(types, key=str)
    schemas, components = msgspec.json.schema_components(schema_types, ref_template="#/components/schemas/{name}")
    schema_of = dict(zip(schema_types, schemas, strict=True))
    paths: dict[str, Any] = {}
    for operation in operations:
        description = _describe(operation, schema_of, components)
        paths.setdefault(operation.path, {})[operation.method.lower()] = description
    paths["/health"] = {"get": _health(schema_of)}
    for name in {operation.takes.__name__ for operation in operations if operation.has_query}:
        del components[name]
    return {
        "openapi": "3.1.0",
        "info": {"title": "ibidem", "version": ibidem.__version__},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }


def _describe(operation: Operation, schema_of: _Schemas, components: dict[str, Any]) -> dict[str, Any]:
    description: dict[str, Any] = {"operationId": operation.name, "summary": operation.summary}
    schema = components[operation.takes.__name__]
    in_path = [name for name in schema["properties"] if f"{{{name}}}" in operation.path]
    parameters = schema["properties"] if operation.has_query else {name: schema["properties"][name] for name in in_path}
    if parameters or operation.has_query:
        description["parameters"] = [_parameter(name, kind, name in in_path) for name, kind in parameters.items()]
    if operation.takes_bytes:
        description["requestBody"] = {"required": True, "content": {"application/octet-stream": {}}}
    elif not operation.has_query:
        body = schema_of[operation.takes] if not in_path else _without(schema, in_path)
        description["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return description | {"responses": _answer(operation, schema_of) | _problems(schema_of)}


def _answer(operation: Operation, schema_of: _Schemas) -> dict[str, Any]:
    if operation.gives is File:
        return {"200": {"description": "A file", "content": {"application/octet-stream": {}}}}
    content: dict[str, Any] = {"application/json": {"schema": schema_of[operation.gives]}}
    name = getattr(operation.gives, "__name__", "answer")
    return {"200": {"description": name, "content": content}}


def _without(schema: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The schema of a body, without what is in the path."""
    left = {name: kind for name, kind in schema["properties"].items() if name not in names}
    return schema | {"properties": left, "required": [name for name in schema["required"] if name not in names]}


def _parameter(name: str, schema: dict[str, Any], is_in_path: bool) -> dict[str, Any]:
    """A parameter, which is left out and not null."""
    kind = {key: value for key, value in schema.items() if key != "default" or value is not None}
    if "anyOf" in kind:
        choices = [choice for choice in kind.pop("anyOf") if choice != {"type": "null"}]
        kind |= choices[0] if len(choices) == 1 else {"anyOf": choices}
    if isinstance(kind.get("enum"), list):
        kind["enum"] = [choice for choice in kind["enum"] if choice is not None]
    place = {"in": "path", "required": True} if is_in_path else {"in": "query"}
    return {"name": name, **place, "schema": kind}


def _health(schema_of: _Schemas) -> dict[str, Any]:
    content = {"application/json": {"schema": schema_of[answers.Health]}}
    return {
        "operationId": "health",
        "summary": "Whether the service answers",
        "responses": {"200": {"description": "Health", "content": content}},
        "security": [],
    }


def _problems(schema_of: _Schemas) -> dict[str, Any]:
    content = {"application/problem+json": {"schema": schema_of[answers.Problem]}}
    return {status: {"description": description, "content": content} for status, description in PROBLEMS.items()}

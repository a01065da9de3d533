"""The page of OpenAPI 3.1 that describes the service, made of the table of operations and the types that it names."""

from typing import Any

import msgspec

import ibidem
from ibidem.web import answers
from ibidem.web.operations import OPERATIONS, PROBLEMS, Operation

_Schemas = dict[type, Any]


def describe_api() -> dict[str, Any]:
    """The page."""
    types = {schema_type for operation in OPERATIONS for schema_type in (operation.takes, operation.gives)}
    schema_types = sorted({*types, answers.Health, answers.Problem}, key=lambda schema_type: schema_type.__name__)
    schemas, components = msgspec.json.schema_components(schema_types, ref_template="#/components/schemas/{name}")
    schema_of = dict(zip(schema_types, schemas, strict=True))
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _describe(operation, schema_of, components)
    paths["/health"] = {"get": _health(schema_of)}
    for operation in OPERATIONS:
        if operation.method == "GET":
            del components[operation.takes.__name__]
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
    content: dict[str, Any] = {"application/json": {"schema": schema_of[operation.gives]}}
    if operation.rows is not None:
        content["application/x-ndjson"] = {"schema": {"type": "string"}}
    description: dict[str, Any] = {"operationId": operation.name, "summary": operation.summary}
    if operation.right == "write":
        description["security"] = [{"token": []}]
    if operation.method == "POST":
        body = {"application/json": {"schema": schema_of[operation.takes]}}
        description["requestBody"] = {"required": True, "content": body}
    else:
        description["parameters"] = _parameters(operation, components[operation.takes.__name__])
    answer = {str(operation.status): {"description": operation.gives.__name__, "content": content}}
    return description | {"responses": answer | _problems(schema_of)}


def _parameters(operation: Operation, schema: dict[str, Any]) -> list[dict[str, Any]]:
    parameters = []
    for name, kind in schema["properties"].items():
        place = {"in": "path", "required": True} if f"{{{name}}}" in operation.path else {"in": "query"}
        parameters.append({"name": name, **place, "schema": _without_null(kind)})
    return parameters


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a parameter, which is left out and not null."""
    parameter = {key: value for key, value in schema.items() if key != "default" or value is not None}
    if "anyOf" in parameter:
        choices = [choice for choice in parameter.pop("anyOf") if choice != {"type": "null"}]
        parameter |= choices[0] if len(choices) == 1 else {"anyOf": choices}
    if isinstance(parameter.get("enum"), list):
        parameter["enum"] = [choice for choice in parameter["enum"] if choice is not None]
    return parameter


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

"""XML: parsed without anything from outside the file, and within bounds of depth and size."""

from collections.abc import Iterable, Mapping
from typing import Any

from ibidem.corpus.readers.document import UnreadableError

_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


def parse_xml(data: bytes) -> Any:
    """The root element, without the readings of ruby.

    Entities that the document itself declares are replaced, up to libxml2's bounds; others are not fetched.

    Raises:
        UnreadableError: it is not well-formed, nests more than 256 elements, or its entities grow without bound.
    """
    from lxml import etree

    parser = etree.XMLParser(resolve_entities="internal", no_network=True, load_dtd=False, remove_comments=True)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableError(f"no well-formed XML ({error})") from error
    leave_out_ruby(root)
    return root


def leave_out_ruby(root: Any) -> None:
    """Remove how the words of a text are read aloud, and keep the words as if they stood alone.

    TEI, JATS and OOXML call the reading ``rt``, ODF ``ruby-text``.
    """
    from lxml import etree

    for ruby in list(root.iter("{*}ruby")):
        etree.strip_elements(ruby, "{*}rt", "{*}rp", "{*}rtc", "{*}ruby-text", with_tail=False)
        etree.strip_tags(ruby, "{*}rb", "{*}rbc", "{*}rubyBase", "{*}ruby-base")
    etree.strip_tags(root, "{*}ruby")


def root_name(data: bytes) -> str:
    """The local name of the root element, in lower case, found in the first bytes of a file; empty if there is none."""
    import re

    match = re.search(rb"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)[\s/>]", data)
    return match[1].decode("ascii", "replace").lower() if match else ""


def local_name(element: Any) -> str:
    """The name of an element without its namespace; empty for a processing instruction or an entity."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def xml_id(element: Any) -> str:
    """A pointer to an element by its ``xml:id`` or ``ID``; empty if it has neither."""
    name = element.get(_XML_ID) or element.get("ID") or element.get("id")
    return f"#{name}" if name else ""


def text_of(element: Any) -> str:
    """All text below an element, white space folded."""
    return " ".join("".join(element.itertext()).split())


def describe(elements: Iterable[Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Metadata from the first of the elements of each name that has text; ``names`` says what it is called."""
    properties: dict[str, Any] = {}
    for element in elements:
        key = names.get(local_name(element))
        if key and element.text and element.text.strip():
            properties.setdefault(key, element.text.strip())
    return properties

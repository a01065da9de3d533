"""Files of every kind that readers know, each made of the same paragraphs."""

import io
import tarfile
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

FIRST = "The tide went out before dawn, and the whole village walked to the old wreck with lamps."
SECOND = "Nobody in Ærø spoke of the storm; the café stayed shut until the men came home."

PAGES = [FIRST, SECOND]


def html() -> bytes:
    return f"""<!DOCTYPE html><html lang="en"><head><title>The wreck</title><meta name="author" content="A. Nyman">
    <meta charset="utf-8"><style>p {{ color: red }}</style></head><body><nav><a href="/">Home</a> Contact us</nav>
    <header>Site of the village</header><main><h1 id="top">Morning</h1><p>{escape(FIRST)}</p>
    <h2>Evening</h2><p>{escape(SECOND).replace("storm", "<b>st</b>orm")}</p><script>alert("no text")</script></main>
    <footer>Imprint</footer></body></html>""".encode()


def pdf(pages: list[str] = PAGES, *, with_text: bool = True) -> bytes:
    """A PDF with a line of text on each page, as small as one can be."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    for at, page in enumerate(pages):
        shown = page.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").encode("cp1252")
        content = b"BT /F1 12 Tf 40 700 Td (" + shown + b") Tj ET" if with_text else b"0 0 100 100 re f"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * at} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n" % len(content) + content + b"\nendstream")
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)


def docx() -> bytes:
    from docx import Document

    document = Document()
    document.core_properties.title, document.core_properties.author = "The wreck", "A. Nyman"
    document.add_heading("Morning", 1)
    document.add_paragraph(FIRST)
    document.add_heading("Evening", 1)
    cut = SECOND.index("storm") + 2
    paragraph = document.add_paragraph(SECOND[:cut])
    paragraph.add_run(SECOND[cut:]).bold = True
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "boats", "seven"
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def odt() -> bytes:
    content = f"""<?xml version="1.0" encoding="UTF-8"?><office:document-content
    xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>
    <text:tracked-changes><text:changed-region>deleted words</text:changed-region></text:tracked-changes>
    <text:h>Morning</text:h><text:p>{escape(FIRST)}</text:p><text:h>Evening</text:h>
    <text:p>{escape(SECOND).replace(" storm", "<text:s/>storm")}</text:p></office:text></office:body>
    </office:document-content>"""
    return pack({"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": content.encode()})


def rtf() -> bytes:
    pages = r"\pard\s1 Morning\par\pard {}\par\page\pard\outlinelevel0 {{\b Even}}ing\par\pard {}".format(*PAGES)
    body = pages.replace("Æ", r"\'c6").replace("ø", r"\'f8").replace("é", r"\u233?")
    return (r"{\rtf1\ansi\ansicpg1252{\stylesheet{\s0 Normal;}{\s1\b\sbasedon0 heading 1;}}" + body + "}").encode(
        "ascii"
    )


def epub() -> bytes:
    container = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
    <rootfile full-path="OPS/book.opf"/></rootfiles></container>"""
    package = """<package xmlns="http://www.idpf.org/2007/opf"><metadata
    xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The wreck</dc:title><dc:creator>A. Nyman</dc:creator>
    </metadata><manifest><item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/>
    <item id="a" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>
    <spine><itemref idref="a"/><itemref idref="b"/></spine></package>"""
    page = "<html><head><title>t</title></head><body><h1>{}</h1><p>{}</p></body></html>"
    return pack(
        {
            "mimetype": b"application/epub+zip",
            "META-INF/container.xml": container.encode(),
            "OPS/book.opf": package.encode(),
            "OPS/two b.xhtml": page.format("Evening", SECOND).encode(),
            "OPS/one.xhtml": page.format("Morning", FIRST).encode(),
        }
    )


def markdown() -> bytes:
    return f"# Morning\n\n{FIRST}\n\n```\n# no heading\n```\n\n## Evening\n\n{SECOND}\n".encode()


def tei() -> bytes:
    first = escape(FIRST).replace("village", "vil-<lb n='2' break='no'/>lage")
    second = escape(SECOND).replace("storm", "<choice><orig>ftorm</orig><reg>storm</reg></choice>")
    second = second.replace("Ærø", "&aelig;rø")
    return f"""<?xml version="1.0"?><!DOCTYPE TEI [<!ENTITY aelig "Æ">]><TEI xmlns="http://www.tei-c.org/ns/1.0">
    <teiHeader><fileDesc><titleStmt><title>The wreck</title><author>A. Nyman</author></titleStmt></fileDesc></teiHeader>
    <text><body><pb n="12r"/><div n="1"><head>Morning</head><p xml:id="p1">{first}
    <note>An explanation.</note></p></div><pb n="12v"/><div n="2"><head>Evening</head>
    <fw>running head</fw><p>{second}</p>
    <lg><l n="1">first verse</l><l n="2">second verse</l></lg></div></body></text></TEI>""".encode()


def alto() -> bytes:
    def line(at: int, text: str) -> str:
        words = "<SP/>".join(f'<String CONTENT="{escape(word)}"/>' for word in text.split())
        return f'<TextLine ID="l{at}" HPOS="10" VPOS="{20 * at}" WIDTH="300" HEIGHT="18">{words}</TextLine>'

    pages = "".join(
        f'<Page PHYSICAL_IMG_NR="{at}"><PrintSpace><TextBlock>{line(1, text[:30].rpartition(" ")[0])}'
        f"{line(2, text[len(text[:30].rpartition(' ')[0]) :])}</TextBlock></PrintSpace></Page>"
        for at, text in enumerate(PAGES, 7)
    )
    return f'<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout>{pages}</Layout></alto>'.encode()


def page_xml() -> bytes:
    regions = "".join(
        f'<TextRegion id="r{at}"><TextLine id="l{at}"><Coords points="1,2 11,2 11,7 1,7"/>'
        f"<TextEquiv><Unicode>{escape(text)}</Unicode></TextEquiv></TextLine></TextRegion>"
        for at, text in reversed(list(enumerate(PAGES)))
    )
    order = '<RegionRefIndexed index="0" regionRef="r0"/><RegionRefIndexed index="1" regionRef="r1"/>'
    return (
        '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page imageFilename="7.png">'
        f"<ReadingOrder><OrderedGroup>{order}</OrderedGroup></ReadingOrder>{regions}</Page></PcGts>"
    ).encode()


def hocr() -> bytes:
    lines = "".join(
        f'<div class="ocr_page" title="ppageno {at}"><span class="ocr_line" id="l{at}" title="bbox 1 2 11 7">'
        f"{escape(text)}</span></div>"
        for at, text in enumerate(PAGES)
    )
    return (
        f'<!DOCTYPE html><html><head><meta name="ocr-system" content="x"/></head><body>{lines}</body></html>'.encode()
    )


def openiti() -> bytes:
    return (
        "######OpenITI#\n\n#META# 010.AuthorNAME :: A. Nyman\n#META# 020.BookTITLE :: The wreck\n"
        f"#META#Header#End#\n\n### | Morning\n# {FIRST[:45]}\n~~{FIRST[45:].strip()} PageV01P007\n"
        f"# {SECOND} ms0012 PageV01P008\n"
    ).encode()


def warc(body: bytes | None = None) -> bytes:
    """A web archive of one page."""
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + (body or html())
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/wreck\r\n"
        "WARC-Date: 2024-05-06T07:08:09Z\r\nWARC-Record-ID: <urn:uuid:92283950-ef2f-4d72-b224-f54c6ec90bb0>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(page)}\r\n\r\n"
    )
    return head.encode() + page + b"\r\n\r\n"


def pack(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in members.items():
            packed.writestr(name, data, zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED)
    return out.getvalue()


def pack_tar(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as packed:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            packed.addfile(member, io.BytesIO(data))
    return out.getvalue()


SAMPLES = {
    "letter.html": html,
    "letter.pdf": pdf,
    "letter.docx": docx,
    "letter.odt": odt,
    "letter.rtf": rtf,
    "letter.epub": epub,
    "letter.md": markdown,
    "letter.tei.xml": tei,
    "letter.alto.xml": alto,
    "letter.page.xml": page_xml,
    "letter.hocr": hocr,
    "0001Author.Book.mARkdown": openiti,
}


def write_samples(folder: Path) -> list[Path]:
    """A file of each kind."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, make in SAMPLES.items():
        (folder / name).write_bytes(make())
        paths.append(folder / name)
    return paths

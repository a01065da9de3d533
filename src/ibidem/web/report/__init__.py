"""Reports: results as one file that opens in any browser, needs no network, and can be sent."""

from ibidem.web.report.findings import Findings, FoundCluster, FoundPair, FoundWitness, SharedDocuments, Source
from ibidem.web.report.html import ReportOptions, Written, write_report

__all__ = [
    "Findings",
    "FoundCluster",
    "FoundPair",
    "FoundWitness",
    "ReportOptions",
    "SharedDocuments",
    "Source",
    "Written",
    "write_report",
]

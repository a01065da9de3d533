"""Reports: results as one file that opens in any browser, needs no network, and can be sent."""

from ibidem.web.report.clusters import FoundCluster, FoundWitness
from ibidem.web.report.findings import FoundPair, Source
from ibidem.web.report.html import ReportOptions, Written, write_report

__all__ = [
    "FoundCluster",
    "FoundPair",
    "FoundWitness",
    "ReportOptions",
    "Source",
    "Written",
    "write_report",
]

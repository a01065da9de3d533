"""Reports: results as one file that opens in any browser, needs no network, and can be sent."""

from ibidem.report.clusters import FoundCluster, FoundWitness
from ibidem.report.findings import FoundPair, Source
from ibidem.report.html import ReportOptions, Written, write_report

__all__ = [
    "FoundCluster",
    "FoundPair",
    "FoundWitness",
    "ReportOptions",
    "Source",
    "Written",
    "write_report",
]

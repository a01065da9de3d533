"""Whole documents: which of them are near-duplicates of each other, and which of those to keep."""

from ibidem.clusters import Clusters, cluster_components, cluster_greedily, label_components
from ibidem.sketches.banding import Banding

__all__ = ["Banding", "Clusters", "cluster_components", "cluster_greedily", "label_components"]

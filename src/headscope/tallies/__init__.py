"""Running summaries that can be merged: what is heard goes into them at once, and is not kept."""

from headscope.tallies.clusters import ClusterMeans
from headscope.tallies.means import Means
from headscope.tallies.records import Records
from headscope.tallies.rows import Rows
from headscope.tallies.sums import BlockSums
from headscope.tallies.tally import State, Tally

__all__ = ["BlockSums", "ClusterMeans", "Means", "Records", "Rows", "State", "Tally"]

"""Running summaries that can be merged: what is heard goes into them at once, and is not kept."""

from headscope.tallies.clusters import BLOCKS, ClusterMeans, block_of
from headscope.tallies.means import Means
from headscope.tallies.rows import Rows
from headscope.tallies.sums import BlockSums
from headscope.tallies.tally import State, Tally

__all__ = ["BLOCKS", "BlockSums", "ClusterMeans", "Means", "Rows", "State", "Tally", "block_of"]

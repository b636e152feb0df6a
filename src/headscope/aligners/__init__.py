"""Statistical word aligners, trained on nothing but pairs: IBM model 1 and the hidden Markov model.

Each looks from target to source: every target word comes from one source word or from none.
"""

from headscope.aligners.bitext import Bitext
from headscope.aligners.hmm import Hmm, train_hmm
from headscope.aligners.ibm1 import Ibm1, train_ibm1

__all__ = ["Bitext", "Hmm", "Ibm1", "train_hmm", "train_ibm1"]

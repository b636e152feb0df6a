"""What other questions may use of finetune: how labelled data are read, and tables of what training gave."""

from headscope.questions.finetune.labelled import Contents, kind_of, labelled_with
from headscope.questions.finetune.tables import Scored, constant_of, finetuned_table, training_table
from headscope.questions.finetune.tuning import repeated

__all__ = [
    "Contents",
    "Scored",
    "constant_of",
    "finetuned_table",
    "kind_of",
    "labelled_with",
    "repeated",
    "training_table",
]

"""What other questions may use of finetune: how labelled data are read, and tables of what training gave."""

from headscope.questions.finetune.labelled import Contents, open_files
from headscope.questions.finetune.tables import Scored, finetuned_table, training_table
from headscope.questions.finetune.tuning import repeated

__all__ = ["Contents", "Scored", "finetuned_table", "open_files", "repeated", "training_table"]

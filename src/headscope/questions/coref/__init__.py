"""coref: which heads link a mention to its antecedent, beside simple rules and random twins."""

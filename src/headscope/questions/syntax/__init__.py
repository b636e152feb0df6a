"""syntax: which heads know which grammatical relations, beside fixed offsets and random twins."""

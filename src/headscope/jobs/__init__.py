"""One function per verb: a model, data and options in, results out."""

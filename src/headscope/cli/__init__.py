"""The command line: one file per verb, each a thin shell over the job of the same name."""

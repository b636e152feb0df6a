"""The report: a run folder as one page."""

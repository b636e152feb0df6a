"""The waist of the hourglass: what an analysis returns, and the run folder that keeps it on disk."""

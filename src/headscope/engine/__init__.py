"""Plan, shards, workers, merged tallies."""

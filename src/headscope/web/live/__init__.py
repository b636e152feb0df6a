"""The live page: a server that answers this machine alone."""

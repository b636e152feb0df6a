"""probe: how much of a treebank's trees can be read off the attention of all heads together."""

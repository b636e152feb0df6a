"""sentences: what can be read off one vector of a sentence, layer by layer."""

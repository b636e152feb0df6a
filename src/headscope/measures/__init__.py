"""Pure formulas over attention maps: arrays in, arrays out."""

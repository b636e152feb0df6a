"""structure: how close attention comes to a structure, and since when."""

"""retrieve: which heads find a needle in a long text."""

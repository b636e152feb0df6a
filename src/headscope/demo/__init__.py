"""Our own texts, which `headscope demo` reads: passages, trees of the first of them, opinions with labels."""

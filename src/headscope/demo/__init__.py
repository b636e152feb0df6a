"""Our own short passages, the text that `headscope demo` reads."""

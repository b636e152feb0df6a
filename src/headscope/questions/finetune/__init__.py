"""finetune: a task head put on a model and trained with it, the best weights chosen on other examples."""

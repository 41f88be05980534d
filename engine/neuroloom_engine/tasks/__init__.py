"""One file per task with the same five functions: load, batch, loss, evaluate, report."""

"""From files and a manifest to uint8 arrays, parts and batches. Knows no network and no task's metrics."""

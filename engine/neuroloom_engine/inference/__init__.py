"""Applies a trained network to new images that nobody has labelled."""

"""Looks into files of weights that may be broken or hostile; nothing in them is ever run."""

"""Preparing images by recipes: steps on pixels, and what goes along with them."""

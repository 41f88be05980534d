"""One builder per catalogue operation: evaluated parameters and input types in, a module out.

No shape rules here.
"""

"""The Python engine of Neuroloom: reads one run folder, prints JSON lines.

Knows no database, HTTP or user.
"""

__version__ = "1.0.0"

"""The random changes of training, each by a name, so that a page can show one of them by itself."""

# Numbers are drawn for all of them always: what one does to an image never depends on the others being there.
CHANGES = frozenset(
    {
        "mirror",
        "pose",
        "turn",
        "zoom",
        "stretch",
        "shift",
        "contrast",
        "brightness",
        "slope",
        "noise",
    }
)

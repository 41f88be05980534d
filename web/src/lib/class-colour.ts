/** Colours that classes are drawn with, before they come again: `CLASS_COLOURS` of the engine's `data/overlay.py`. */
const COLOURS = 8

/** Name of the token of a class; of masks, 0 is the first one beside the background. */
export const classToken = (index: number): string => `--nl-box-${(index % COLOURS) + 1}`

/** A folder of masks, as it was called when it was chosen. */
export type ChosenFolder = { id: string; name: string }

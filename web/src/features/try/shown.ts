/** A picture as a canvas takes it: four bytes a pixel. */
export type Shown = { width: number; height: number; rgba: Uint8ClampedArray<ArrayBuffer> }

/** Apart from the other limits: those come with every first page. */
const minute = 60_000

/** Velocity super-resolution: what is learned from, and how large what comes of it may be. */
export const flowSharpening = {
  leastFlows: 20,
  flows: 400,
  epochs: 300,
  seed: 2 ** 31 - 1,
  /** Voxels times frames of the finer study: a run on it must fit into the engine's memory. */
  voxels: 40_000_000,
  /** Of the coarse grid, around the mask: what is made finer is cut out so. */
  margin: 4,
  /** A network on all frames. */
  sharpenMs: 60 * minute,
} as const

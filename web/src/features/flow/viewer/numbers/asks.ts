/** What the page asks the worker, and what it answers. Types alone. SI units: metres, seconds, metres a second. */
import type { Arrows } from '@neuroloom/contract/flow/arrows'
import type { Samples, Three } from '@neuroloom/contract/flow/slice'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import type { FitOrder } from '@neuroloom/contract/flow/window-weights'
import type { Hull } from '../../space/numbers/hull.ts'
import type { PathAsk, PathFault, SpacePaths } from '../../space/numbers/paths.ts'
import type { SpaceLines } from '../../space/numbers/streams.ts'
import type { Section, SectionFault, SectionFlow } from './cross-section.ts'
import type { DerivedName } from './run-files.ts'
import type { Angles, Looked, SightName } from './sight.ts'

export type Facts = {
  head: FlowStudy
  /** Of the angiogram to begin with, as a share of its top. */
  level: number
  hasMagnitude: boolean
  /** Magnitude that is drawn white. */
  brightest: number
  /** σ_v in m/s; null where it cannot be measured. */
  noise: number | null
  /** A mask came with the study, and maps of Q and λ2. */
  hasMask: boolean
  hasDerived: boolean
}

/** `isGiven`: the mask that came with the study, whatever the level. */
export type MaskChoice = { isOn: boolean; isGiven: boolean; level: number; isLargest: boolean }

/** Kinetic energy in J/m³, Q and λ2 in 1/s². */
export type MapName = 'energy' | DerivedName

export type PictureAsk = Looked & {
  /** Of an oblique plane it need not be whole. */
  slice: number
  frame: number
  /** The study as it was before the corrections; the mask stays. */
  isBefore: boolean
  map: MapName | null
  mask: MaskChoice
  hasVortex: boolean
  hasContours: boolean
  window: number
  order: FitOrder
  /** Null: without arrows, without lines. */
  arrows: { pitch: number; scaling: number } | null
  density: number | null
  /** Where colours and arrows end; what is null, or all without it, ends where this study's own do. */
  tops?: Tops
}

/** m/s; 1/s; in the unit of the map that is asked for. */
export type Tops = { speed: number | null; vortex: number | null; map: number | null }

/** Maps have one value a sample, row after row as they are shown; NaN outside of the mask. */
export type Picture = {
  plane: SightName
  angles: Angles | null
  slice: number
  isBefore: boolean
  frame: number
  /** Where colours and arrows of speed end, m/s: v_ref over all frames unless another was asked for. */
  reference: number
  /** Of this study alone. */
  own: Tops
  /** In the mask. */
  voxels: number
  width: number
  height: number
  spacing: readonly [number, number]
  magnitude: Float32Array | null
  speed: Float32Array
  /** Away from who looks is above 0. */
  through: Float32Array
  arrows: Arrows | null
  /** x and y of each line. */
  lines: Float32Array[] | null
  /** `top`: colours end there, over all frames. */
  map: { name: MapName | 'difference'; values: Float32Array; top: number } | null
  vortex: { omega: Samples; top: number; bands: Bands | null } | null
}

export type Bands = {
  areas: { middle: number; rings: Float64Array[] }[]
  lines: { level: number; points: Float64Array[] }[]
}

export type ProbeAsk = { voxel: Three; isBefore: boolean }
/** m/s in the axes of the patient (or of the grid), one a frame. */
export type Curve = { velocities: Three[] }

export type SectionAsk = Section & { mask: MaskChoice }

/** Streamlines of one moment; the same `seed` gives the same lines. */
export type SpaceAsk = { frame: number; mask: MaskChoice; density: number; seed: number }

/** Why a study does not open. */
export type OpenFault = 'network' | 'gone' | 'format'

export type Asks = {
  /** All but the study itself may be missing. */
  open: { ask: { url: string; mask: string | null; derived: string | null }; answer: Facts | OpenFault }
  /** The study as it was before. */
  before: { ask: { url: string }; answer: 'ready' | OpenFault }
  picture: { ask: PictureAsk; answer: Picture }
  probe: { ask: ProbeAsk; answer: Curve }
  section: { ask: SectionAsk; answer: SectionFlow | SectionFault }
  space: { ask: SpaceAsk; answer: SpaceLines | 'too_many' }
  paths: {
    ask: { mask: MaskChoice } & Pick<PathAsk, 'emitter' | 'emitAt' | 'density' | 'seed'>
    answer: SpacePaths | PathFault
  }
  /** Null without a mask. */
  hull: { ask: { mask: MaskChoice }; answer: Hull | null }
  /** Of the study's file, as hexadecimal digits. */
  sha256: { ask: Record<never, never>; answer: string }
  /** One moment as VTK's image; `about` stands in it. */
  vti: { ask: { frame: number; mask: MaskChoice; about: string }; answer: Uint8Array<ArrayBuffer> }
}
export type Ask = { [Kind in keyof Asks]: { kind: Kind; ask: Asks[Kind]['ask'] } }[keyof Asks]

export type ToWorker = Ask & { id: number }
export type FromWorker =
  | { id: number; answer: unknown }
  | { id: number; failure: string }
  /** Of the study's file; `whole` null where its length is not told. */
  | { loaded: number; whole: number | null }

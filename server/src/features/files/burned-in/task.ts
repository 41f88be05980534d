import type { SeenFile } from '../access.ts'
import type { PictureRow } from './tables.ts'

/** One picture of a search that is under way, and the folder in which it is worked at. */
export type PictureTask = { picture: PictureRow; file: SeenFile; folder: string; signal: AbortSignal }

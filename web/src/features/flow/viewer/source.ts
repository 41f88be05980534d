/** What the viewer opens: a study, or the results of a run. */
import type { FlowSection } from '@neuroloom/contract/flow/run'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import type { Start } from './choice.ts'

export type Source = {
  /** Another key is another study; fresh addresses of the same one are not loaded anew. */
  key: string
  name: string
  /** Addresses of files; null where there is none. */
  values: string | null
  mask?: string | null
  derived?: string | null
  /** The study before its corrections; of one that a network made finer and nobody corrected, by interpolation alone. */
  before?: string | null
  beforeIs?: 'uncorrected' | 'interpolated'
  head: FlowStudy | null
}

export type Bench = {
  source: Source
  /** Options as a run had them. */
  start?: Start
  /** Planes to begin with. */
  sections?: readonly FlowSection[]
  onKeepSections?: (sections: FlowSection[]) => void
  onKeepFigure?: (png: Blob, caption: string) => Promise<void>
  /** What else exports tell: corrections, software, whatever the page knows of how the study came to be. */
  provenance?: Record<string, unknown>
}

/** Of a study's file, without its head: three velocities and a magnitude of two bytes. */
export const bytesOf = ({ size: [x, y, z], frames }: FlowStudy): number => 8 * x * y * z * frames

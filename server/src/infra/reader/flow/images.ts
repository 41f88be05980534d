/** What is told of an image of phase contrast before its numbers are read, whatever the format. Pure data. */
import type {
  FlowLook,
  FlowProblem,
  FlowProblemName,
  FlowSeries,
  FlowStudy,
} from '@neuroloom/contract/flow/study'
import type { Triple } from '../model.ts'

export type FlowFile = { path: string; name: string }

/** One plane at one time. */
export type FlowImage = {
  /** Among the files as they were given; of PAR/REC the file with the numbers. */
  file: number
  /** In the file, from 0. */
  frame: number
  /** Of the first pixel's middle, in DICOM's axes (mm). */
  position: Triple | null
  /** Along the normal in mm, or what stands for it. */
  place: number | null
  /** After the R wave, in seconds. */
  time: number | null
  /** What orders images without a place or a time. */
  turn: number
  number: number
  slope: number
  intercept: number
  /** Of numbers without a head of their own. */
  plane?: { count: number; bits: 8 | 16 }
}

/** What all images of one row of the table have in common. */
export type Traits = {
  source: 'dicom' | 'par_rec'
  study: string
  patient: string
  frameOfReference: string
  series: string
  maker: string
  imageType: string
  /** MAGNITUDE, PHASE: of enhanced files. */
  component: string
  description: string
  protocol: string
  sequence: string
  /** Private words on the encoding. */
  label: string
  columns: number
  rows: number
  /** Along a row, along a column, in DICOM's axes. */
  directions: [Triple, Triple] | null
  /** Between columns, between rows. */
  spacing: [number, number] | null
  thickness: number | null
  /** In DICOM's axes: where a positive velocity goes. */
  vector: Triple | null
  /** m/s, where a tag says so. */
  venc: number | null
  /** Philips' cm/s to the left, the back and the head: the one that is not 0 is the direction. */
  encoded: Triple | null
  /** Whether phase is encoded along a row; null = not told. */
  isPhaseAlongRow: boolean | null
  rescaleType: string
  bits: number
  isSigned: boolean
  /** Of the first image. */
  slope: number
  intercept: number
  period: number | null
  gating: FlowLook['gating']
}

/** `uid`: of the file as its maker wrote it; '' where it has none. */
export type Told = { traits: Traits; image: FlowImage; uid: string }

/** A row of the table, with its images. */
export type FlowRow = { series: FlowSeries; traits: Traits; images: FlowImage[]; grid: FlowGrid }

/** Which image lies where; null where there is none. */
export type FlowGrid = {
  /** Along the normal in mm, rising; null where nothing tells. */
  places: (number | null)[]
  /** Seconds; null where nothing tells. */
  times: (number | null)[]
  /** By slice, then by time. */
  cells: (FlowImage | null)[][]
  /** An image too many: where. */
  twice: { slice: number; time: number } | null
}

export type FlowMade = { study: FlowStudy; problems: FlowProblem[] }

/** Nothing can be made of the files as they were settled. */
export class FlowRefusal extends Error {
  readonly problems: readonly FlowProblem[]

  constructor(problems: readonly FlowProblem[]) {
    super(problems.map(({ reason }) => reason).join(', '))
    this.problems = problems
  }
}

export const blocking = (reason: FlowProblemName, params: FlowProblem['params'] = {}): FlowProblem => ({
  reason,
  params,
  isBlocking: true,
})

export const note = (reason: FlowProblemName, params: FlowProblem['params'] = {}): FlowProblem => ({
  reason,
  params,
  isBlocking: false,
})

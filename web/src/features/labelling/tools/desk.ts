/** What is chosen in the editor and shown around it; its panels listen here. Holds no marks. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Saving } from '../journal/step-queue.ts'
import type { Proposal } from './part.ts'

export const toolNames = [
  'hand',
  'select',
  'cross',
  'brush',
  'eraser',
  'box',
  'polygon',
  'line',
  'wire',
  'points',
  'fill',
  'wand',
  'threshold',
  'superpixels',
] as const
export type ToolName = (typeof toolNames)[number]

/** What a closed wire becomes, or an open one. */
export const wireForms = ['outline', 'pixels', 'line'] as const
export type WireForm = (typeof wireForms)[number]

export type Desk = {
  tool: ToolName
  classId: string
  /** Diameters in image pixels, each class with its own. */
  sizes: Readonly<Record<string, number>>
  /** Each body of pixels by itself; else all of a class together. */
  isEach: boolean
  selected: readonly string[]
  hidden: ReadonlySet<string>
  /** Of the colour of marked pixels. */
  opacity: number
  /** Column, row and slice that the planes show. */
  place: [x: number, y: number, z: number]
  /** A pen's pressure changes the size of the brush. */
  isByPressure: boolean
  /** One finger moves the image, and does not draw. */
  isFingerPan: boolean
  /** The last step of the moment that is looked at; null = now. */
  earlier: number | null
  /** The frames of a video go by. */
  isPlaying: boolean
  saving: Saving
  canUndo: boolean
  canRedo: boolean
  /** Counts changes of the marks, and of what is seen. */
  version: number
  views: number
  /** What an assist would draw; Enter or a press takes it. */
  proposal: Proposal | null
  /** How far the wand's values may lie from the one pointed at, of 255. */
  tolerance: number
  wireForm: WireForm
  /** Of superpixels, in image pixels across. */
  pieceSize: number
  /** Read aloud. */
  told: string
}

export const FIRST_SIZE = 24
export const SIZES = { least: 1, most: 2000 } as const
export const PIECES = { least: 6, most: 120 } as const

export const makeDesk = (given: Partial<Desk> = {}): StoreApi<Desk> =>
  createStore<Desk>(() => ({
    tool: 'brush',
    classId: '',
    sizes: {},
    isEach: false,
    selected: [],
    hidden: new Set(),
    opacity: 0.45,
    place: [0, 0, 0],
    isByPressure: true,
    isFingerPan: false,
    earlier: null,
    isPlaying: false,
    saving: { state: 'saved', waiting: 0, message: '', isKeptHere: true },
    canUndo: true,
    canRedo: false,
    version: 0,
    views: 0,
    proposal: null,
    tolerance: 24,
    wireForm: 'outline',
    pieceSize: 24,
    told: '',
    ...given,
  }))

export const sizeOf = ({ sizes, classId }: Pick<Desk, 'sizes' | 'classId'>): number =>
  sizes[classId] ?? FIRST_SIZE

export function setSize(desk: StoreApi<Desk>, size: number): void {
  const within = Math.min(Math.max(Math.round(size), SIZES.least), SIZES.most)
  desk.setState(({ sizes, classId }) => ({ sizes: { ...sizes, [classId]: within } }))
}

/** Of the brush, or of the pieces where these are at work; small ones grow by a pixel, large ones by a tenth. */
export function stepSize(desk: StoreApi<Desk>, sign: 1 | -1): void {
  const { tool, pieceSize } = desk.getState()
  const size = tool === 'superpixels' ? pieceSize : sizeOf(desk.getState())
  const next = size + sign * Math.max(1, Math.round(size / 10))
  if (tool !== 'superpixels') setSize(desk, next)
  else desk.setState({ pieceSize: Math.min(Math.max(next, PIECES.least), PIECES.most) })
}

/**
 * The nine options of flow imaging, and when a choice of them is refused: the one table that forms, schema and documents draw from.
 * Without zod: pages carry it. Texts: contract/locales/<language>/flow-options.json.
 */
import { flow as limits } from '../limits.ts'
import { arrowCount } from './arrows.ts'
import { contrast } from './colours.ts'
import type { FitOrder } from './window-weights.ts'

/** Vorticity with its contours, and streamlines. Arrows are a layer of both. */
export const flowKinds = ['vortex', 'fluidLine'] as const
export type FlowKind = (typeof flowKinds)[number]

export type FlowUnit = 'dpi' | 'voxels' | 'pixels' | 'times' | 'density' | null

export type FlowOption = (
  | { kind: 'number'; min: number; max: number; step: number; start: number }
  | { kind: 'colour'; start: string; words: readonly string[] }
  | { kind: 'flag'; start: boolean }
) & {
  unit: FlowUnit
  /** Grey while this one is not chosen. */
  needs: FlowKind | null
  /** Values that are offered by a click. */
  offered: readonly number[]
}

const always = { needs: null, offered: [] } as const

/** Spelled as the specification spells them. Pixels are of 96 to the inch and grow with imageClarity. */
export const flowOptions = {
  /** Dots to the inch of a figure 8 inches wide; data are not resampled. */
  imageClarity: {
    ...always,
    ...{ kind: 'number', min: 72, max: 600, step: 1, start: 150, unit: 'dpi' },
    offered: [96, 150, 300, 600],
  },
  /** Pitch of the lattice. */
  spacingBetweenArrows: { ...always, kind: 'number', min: 1, max: 16, step: 1, start: 3, unit: 'voxels' },
  /** `#RRGGBB`, or by speed. */
  arrowColor: { ...always, kind: 'colour', start: '#FFD400', words: ['speed'], unit: null },
  /** Of the shaft; the head is 3.5 times as wide. */
  arrowWidth: { ...always, kind: 'number', min: 0.5, max: 6, step: 0.1, start: 1.5, unit: 'pixels' },
  /** Larger is longer. */
  arrowScaling: { ...always, kind: 'number', min: 0.1, max: 5, step: 0.1, start: 1, unit: 'times' },
  /** Bands and lines of ω. */
  contourmapsShow: { ...always, kind: 'flag', start: true, unit: null, needs: 'vortex' },
  /** N of the N×N fit; odd. */
  vorticityCalculationWindow: {
    ...always,
    ...{ kind: 'number', min: 3, max: 15, step: 2, start: 5, unit: 'voxels', needs: 'vortex' },
  },
  /** Of streamlines. */
  lineWidth: {
    ...always,
    ...{ kind: 'number', min: 0.25, max: 8, step: 0.25, start: 1, unit: 'pixels', needs: 'fluidLine' },
  },
  /** 1 = 30 separations over the longer side. */
  linDensity: {
    ...always,
    ...{ kind: 'number', min: 0.2, max: 5, step: 0.1, start: 1, unit: 'density', needs: 'fluidLine' },
  },
} as const satisfies Record<string, FlowOption>
export type FlowOptionName = keyof typeof flowOptions

export type FlowSettings = {
  [Name in FlowOptionName]: (typeof flowOptions)[Name]['kind'] extends 'number'
    ? number
    : (typeof flowOptions)[Name]['kind'] extends 'flag'
      ? boolean
      : string
}

export const startSettings: FlowSettings = {
  imageClarity: flowOptions.imageClarity.start,
  spacingBetweenArrows: flowOptions.spacingBetweenArrows.start,
  arrowColor: flowOptions.arrowColor.start,
  arrowWidth: flowOptions.arrowWidth.start,
  arrowScaling: flowOptions.arrowScaling.start,
  contourmapsShow: flowOptions.contourmapsShow.start,
  vorticityCalculationWindow: flowOptions.vorticityCalculationWindow.start,
  lineWidth: flowOptions.lineWidth.start,
  linDensity: flowOptions.linDensity.start,
}

/** Settings with names that come with the product; `start` is what a reset brings back. */
export const flowPresets = {
  start: startSettings,
  /** For a page of a journal. */
  print: { ...startSettings, imageClarity: 300, arrowWidth: 1, lineWidth: 0.75 },
  /** For a screen across a room. */
  talk: { ...startSettings, spacingBetweenArrows: 5, arrowWidth: 3, lineWidth: 2, linDensity: 0.6 },
  /** For noisy velocities: ω over more voxels. */
  noisy: { ...startSettings, vorticityCalculationWindow: 9 },
} as const satisfies Record<string, FlowSettings>
export type FlowPresetName = keyof typeof flowPresets

/** Why a choice is refused. Texts: `refused.<name>` with the params. */
export const flowReasons = [
  /** Neither kind is chosen. */
  'kind_missing',
  /** window. */
  'window_even',
  /** window, largest: odd, and no larger than the smaller side of the plane; 0 where none fits. */
  'window_large',
  /** window: a cubic needs 5. */
  'window_cubic',
  /** count, limit, spacing: the smallest that is few enough. */
  'arrows_many',
  /** slice and frame are told as people count, from 1 on: slice, count. */
  'slice_missing',
  /** frame, count. */
  'frame_missing',
  /** min, max. */
  'out_of_range',
  /** step. */
  'off_step',
  'colour_unknown',
  /** needed, given in GB; frames: so many of this block would do. */
  'frames_many',
  /** needed, given in GB: one frame of this block is too much. */
  'block_large',
] as const
export type FlowReason = (typeof flowReasons)[number]
export type FlowProblem = {
  /** Where it is set. */
  field: FlowOptionName | 'kinds' | 'fitOrder' | 'slice' | 'frames'
  reason: FlowReason
  params: Record<string, number>
}

/** Of one value by itself; null = allowed. An even window is a matter of the choice as a whole, with its own words. */
export function optionProblem(name: FlowOptionName, value: unknown): FlowProblem | null {
  const option: FlowOption = flowOptions[name]
  const problem = (reason: FlowReason, params: Record<string, number> = {}) => ({
    field: name,
    reason,
    params,
  })
  switch (option.kind) {
    case 'number': {
      const { min, max } = option
      if (typeof value !== 'number' || !(value >= min && value <= max))
        return problem('out_of_range', { min, max })
      const step = option.step === 2 ? 1 : option.step
      return isWhole(value / step) ? null : problem('off_step', { step })
    }
    case 'colour':
      return isColour(value, option.words) ? null : problem('colour_unknown')
    case 'flag':
      return typeof value === 'boolean' ? null : problem('out_of_range')
    default:
      return option satisfies never
  }
}

/** 0.3 / 0.1 is no whole number to a computer. */
const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-6

const isColour = (value: unknown, words: readonly string[]): boolean =>
  typeof value === 'string' && (/^#[0-9a-f]{6}$/i.test(value) || words.includes(value))

export type FlowChoice = {
  kinds: readonly FlowKind[]
  settings: FlowSettings
  fitOrder: FitOrder
  /** Numbers from 0 on. */
  frames: 'all' | readonly number[]
  /** Null of an oblique plane. */
  slice: number | null
}

/** What the choice is made of. */
export type FlowFacts = {
  /** Of the plane, in voxels. */
  width: number
  height: number
  slices: number
  frames: number
}

/** All that stands in the way, in the order of the form; empty = it can be computed. Page and server ask the same. */
export function flowProblems(choice: FlowChoice, facts: FlowFacts): FlowProblem[] {
  const { kinds, settings, frames, slice } = choice
  const names = Object.keys(flowOptions) as FlowOptionName[] // The table's own keys.
  const problems = names.flatMap((name) => optionProblem(name, settings[name]) ?? [])
  if (kinds.length === 0) problems.unshift({ field: 'kinds', reason: 'kind_missing', params: {} })
  if (slice !== null && !(slice >= 0 && slice < facts.slices)) {
    problems.push({
      field: 'slice',
      reason: 'slice_missing',
      params: { slice: slice + 1, count: facts.slices },
    })
  }
  const missing = frames === 'all' ? undefined : frames.find((frame) => !(frame >= 0 && frame < facts.frames))
  if (missing !== undefined) {
    const params = { frame: missing + 1, count: facts.frames }
    problems.push({ field: 'frames', reason: 'frame_missing', params })
  }
  if (kinds.includes('vortex')) problems.push(...windowProblems(choice, facts))
  return [...problems, ...arrowProblems(settings.spacingBetweenArrows, facts)]
}

/** Odd, no larger than the plane, and of 5 where a cubic is fitted. */
function windowProblems({ settings, fitOrder }: FlowChoice, { width, height }: FlowFacts): FlowProblem[] {
  const window = settings.vorticityCalculationWindow
  const field = 'vorticityCalculationWindow'
  if (optionProblem(field, window) !== null) return []
  if (window % 2 === 0) return [{ field, reason: 'window_even', params: { window } }]
  const side = Math.min(width, height)
  const largest = side % 2 === 0 ? side - 1 : side
  if (window > side) {
    const fits = largest >= flowOptions.vorticityCalculationWindow.min ? largest : 0
    return [{ field, reason: 'window_large', params: { window, largest: fits } }]
  }
  return fitOrder === 3 && window < 5
    ? [{ field: 'fitOrder', reason: 'window_cubic', params: { window } }]
    : []
}

function arrowProblems(pitch: number, plane: FlowFacts): FlowProblem[] {
  if (optionProblem('spacingBetweenArrows', pitch) !== null) return []
  const count = arrowCount(plane, pitch)
  if (count <= limits.arrows) return []
  let spacing = pitch + 1
  while (arrowCount(plane, spacing) > limits.arrows) spacing++
  return [
    {
      field: 'spacingBetweenArrows',
      reason: 'arrows_many',
      params: { count, limit: limits.arrows, spacing },
    },
  ]
}

/** CIE lightness 50: halfway between black and white as people see it. */
const MID_GREY = '#777777'
/** WCAG 2.2, 1.4.11: what is no text has to stand out by as much. */
const LEAST_CONTRAST = 3

/** Hard to see on a picture of middle brightness: told, not refused. */
export const isFaint = (arrowColor: string): boolean =>
  arrowColor.startsWith('#') && contrast(arrowColor, MID_GREY) < LEAST_CONTRAST

const FIGURE_INCHES = 8
const SCREEN_DPI = 96

/** Pixels of a drawn or exported figure. */
export const figureWidth = (imageClarity: number): number => Math.round(FIGURE_INCHES * imageClarity)

/** Pixels of a width given in pixels of 96 to the inch. */
export const drawnWidth = (width: number, imageClarity: number): number => (width * imageClarity) / SCREEN_DPI

/** At most 1920 × 1080 with the same shape, and even, as video codecs want it. */
export function videoSize({ width, height }: { width: number; height: number }): {
  width: number
  height: number
} {
  const share = Math.min(1, 1920 / width, 1080 / height)
  const even = (side: number) => Math.max(2, 2 * Math.floor((side * share) / 2))
  return { width: even(width), height: even(height) }
}

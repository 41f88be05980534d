/** Where what is saved came from: every file tells it. Pure; texts in English, as programs and other people read them. */

import type { FlowSharpened } from '@neuroloom/contract/flow/sharpen'
import { version } from '../../../../../package.json'
import type { Choice } from '../choice.ts'
import type { Facts } from '../numbers/asks.ts'
import { type Cut, flowsOf, keptOf, summaryOf } from '../sections/use-sections.ts'
import type { Source } from '../source.ts'

export const NOTICE = 'For research, not for diagnosis'
export const SOFTWARE = `Neuroloom ${version}`

export type Origin = {
  study: string
  /** SHA-256 of the file that was looked at, and over those of the files that it was made of. */
  sha256: string
  sources: string
  software: string
  /** By which network it was made finer; null of what was measured. */
  sharpened: FlowSharpened | null
  provenance: Record<string, unknown>
}

/** All that a file tells of what is on the screen. */
export type Seen = {
  facts: Facts
  choice: Choice
  cuts: readonly Cut[]
  source: Source
  provenance: Record<string, unknown>
}

export function originOf({ source, facts, provenance }: Seen, sha256: string): Origin {
  const { sources, sharpened = null } = facts.head
  return { study: source.name, sha256, sources, software: SOFTWARE, sharpened, provenance }
}

/** In one line. */
export const originText = ({ study, sha256, sources, software, sharpened }: Origin): string =>
  [
    study,
    ...learnedText(sharpened),
    `study SHA-256 ${sha256}`,
    `source files SHA-256 ${sources}`,
    software,
    NOTICE,
  ].join(' | ')

/** That nobody measured it so finely. */
export const learnedText = (sharpened: FlowSharpened | null): string[] =>
  sharpened ? [`Made ${sharpened.factor} times finer by a network, not measured`] : []

/** What was chosen and what was measured. SI units, but for names that tell another. */
export function told({ facts, choice, cuts, source }: Seen, origin: Origin): Record<string, unknown> {
  const { head, noise } = facts
  const { plane, angles, place, frame, isBefore, kinds, colours, drawn, mask, hasArrows, hasMagnitude } =
    choice
  return {
    notice: NOTICE,
    ...origin,
    units: {
      ...{ length: 'm', area: 'm2', time: 's', velocity: 'm/s', flow: 'm3/s', volume: 'm3', angle: 'degree' },
      ...{ spacing_mm: 'mm', affine_mm: 'mm', place_voxels: 'voxels from 0', frame: 'from 0' },
    },
    grid: {
      ...{ size: head.size, spacing_mm: head.spacing, affine_mm: head.affine, isPlaced: head.isPlaced },
      ...{ times: head.times, period: head.period, gating: head.gating, venc: head.venc },
    },
    velocityNoise: noise,
    shown: {
      ...{ plane, angles: plane === 'oblique' ? angles : null, place_voxels: place, frame, isBefore },
      ...{ colours, hasArrows, hasMagnitude, before: source.beforeIs ?? 'uncorrected' },
    },
    kinds,
    settings: drawn.settings,
    fitOrder: drawn.order,
    mask,
    sections: cuts.map((cut) => ({
      ...keptOf(cut, (number) => `Plane ${number}`),
      refusal: cut.fault,
      area: cut.flow?.area ?? null,
      voxelsAcross: cut.flow?.across ?? null,
      rate: flowsOf(cut),
      frames: cut.flow?.frames ?? [],
      summary: summaryOf(cut, head),
    })),
  }
}

export const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Where a prediction differs from the truth, voxel by voxel. Pure. */
import type { OverlayLabel } from '@neuroloom/contract/reading/overlays'
import type { LabelBytes } from './labels.ts'

type Side = { bytes: LabelBytes; labels: readonly OverlayLabel[]; nothing: readonly number[] }

/** As the classes of a difference are numbered; `other`: both mark something, but not the same. */
export const differences = ['missed', 'extra', 'other'] as const
const colours = { missed: '#0072b2', extra: '#d55e00', other: '#cc79a7' } as const

/** Null where the two are not on one grid. Labels with the same name are the same. */
export function differenceOf(
  truth: Side,
  prediction: Side,
): { bytes: LabelBytes; labels: Omit<OverlayLabel, 'name'>[] } | null {
  const { length } = truth.bytes
  if (prediction.bytes.length !== length) return null
  const [marked, said] = [namesOf(truth), namesOf(prediction)]
  const bytes = new Uint8Array(length)
  const counts = [0, 0, 0, 0]
  for (let at = 0; at < length; at += 1) {
    const own = marked[truth.bytes[at] ?? 0] ?? null
    const other = said[prediction.bytes[at] ?? 0] ?? null
    if (own === other) continue
    const kind = other === null ? 1 : own === null ? 2 : 3
    bytes[at] = kind
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return {
    bytes,
    labels: differences.map((name, index) => ({
      ...{ key: name, colour: colours[name], count: counts[index + 1] ?? 0 },
    })),
  }
}

/** By byte; null for what stands for nothing. */
const namesOf = ({ labels, nothing }: Side): (string | null)[] => [
  null,
  ...labels.map(({ name, key }, index) => (nothing.includes(index + 1) ? null : (name ?? key))),
]

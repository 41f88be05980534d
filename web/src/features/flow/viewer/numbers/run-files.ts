/** What a run adds to its study: the mask that it worked with, and maps of what turns. Pure. */
import { type FlowStudy, NO_VALUE } from '@neuroloom/contract/flow/study'
import { isRecord, readContainer } from './container.ts'

export const derivedNames = ['q', 'lambda2'] as const
export type DerivedName = (typeof derivedNames)[number]

/** [frames, z, y, x] of each, and 1/s² of one unit. */
export type Derived = Record<DerivedName, { values: Int16Array; scale: number }>

/** 1 inside, x fastest. Throws an Error where the bytes are no mask of that study. */
export function readMask(bytes: Uint8Array, { size: [x, y, z] }: FlowStudy): Uint8Array {
  return Uint8Array.from(readContainer(bytes).int8('mask', [z, y, x]), (value) => (value === 0 ? 0 : 1))
}

/** Throws an Error where the bytes are no maps of that study. */
export function readDerived(bytes: Uint8Array, { size: [x, y, z], frames }: FlowStudy): Derived {
  const { about, int16 } = readContainer(bytes)
  const told: unknown = JSON.parse(String(about.scale))
  const read = (name: DerivedName) => {
    // One unit for both, or one for each.
    const scale = Number(isRecord(told) ? told[name] : told)
    if (!(scale > 0)) throw new Error(`no unit of ${name}`)
    return { values: int16(name, [frames, z, y, x]), scale }
  }
  return { q: read('q'), lambda2: read('lambda2') }
}

/** 1/s²; NaN where there is none. */
export function derivedAt({ values, scale }: Derived[DerivedName], at: number): number {
  const value = values[at] ?? NO_VALUE
  return value === NO_VALUE ? Number.NaN : scale * value
}

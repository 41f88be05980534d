/** Brings documents of earlier versions to the present one, on plain data, before anything else looks at them. */
import { isRecord } from '../resolve/schema-map.ts'

/** Plain data in, plain data out; the version is counted up by `migrate`. */
export type Migration = (data: Readonly<Record<string, unknown>>) => Record<string, unknown>

/** By the version that they start from. There is only version 1 so far. */
const migrations: ReadonlyMap<number, Migration> = new Map()

/** What is no document, or of a version that nobody knows, comes back as it is: the reader says so. */
export function migrate(value: unknown, chain: ReadonlyMap<number, Migration> = migrations): unknown {
  let data = value
  for (let turn = 0; turn < chain.size; turn += 1) {
    const step = isRecord(data) && typeof data.dripe === 'number' ? chain.get(data.dripe) : undefined
    if (step === undefined || !isRecord(data) || typeof data.dripe !== 'number') return data
    data = { ...step(data), dripe: data.dripe + 1 }
  }
  return data
}

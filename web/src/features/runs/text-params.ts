import { formatBytes } from '../../lib/format.ts'
import { formatRate } from './metrics.ts'

type Value = string | number | string[]

/** Parameters of blockers, warnings and failures as people read them: byte counts as sizes, lists with commas. */
export function textParams(params: Record<string, Value>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, textOf(name, value)]))
}

function textOf(name: string, value: Value): string | number {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'string') return value
  if (name.endsWith('Bytes')) return formatBytes(value)
  return name === 'learningRate' ? formatRate(value) : value
}

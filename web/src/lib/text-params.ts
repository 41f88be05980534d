/** Parameters of sentences that the server sends in parts: byte counts as sizes, rates readable, lists with commas. */
import { formatBytes, formatRate } from './format.ts'

type Value = string | number | string[]

/** Of blockers, warnings and failures, as people read them. */
export function textParams(params: Record<string, Value>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, textOf(name, value)]))
}

function textOf(name: string, value: Value): string | number {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'string') return value
  if (name.endsWith('Bytes')) return formatBytes(value)
  return name === 'learningRate' ? formatRate(value) : value
}

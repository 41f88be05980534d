/** Which numbers of a layer stand on its card although nobody wrote them: those that decide what it does. */
import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Block, Node, ParamValue } from '@neuroloom/contract/network/document/document'

/** As settings are called in the catalogue and in the library's blocks, most telling first. */
const main = [
  'out',
  'mult',
  'channels',
  'dim',
  'hidden',
  'kernel',
  'size',
  'factor',
  'heads',
  'window',
  'p',
  'amount',
]
const mostDefaults = 2

/** What was set, and before it what is not set but decides. A default that is a formula says nothing by itself. */
export function shownSettings(
  { op, params }: Node,
  block: Block | null,
  { catalogue }: Vocabulary,
): ReadonlyMap<string, ParamValue> {
  const entry = catalogue.get(op)
  const standard = new Map<string, ParamValue>()
  if (block === null) for (const [name, { def }] of entry?.params ?? []) standard.set(name, def)
  else for (const [name, spec] of block.params) standard.set(name, spec.default)
  const names = op === 'gn' ? ['groups'] : main
  const telling = names
    .filter((name) => params.has(name) || isNumber(standard.get(name)))
    .slice(0, mostDefaults)
  const first = telling.flatMap((name): [string, ParamValue][] => {
    const value = params.get(name) ?? standard.get(name)
    return value === undefined ? [] : [[name, value]]
  })
  return new Map([...first, ...params])
}

const isNumber = (value: ParamValue | undefined): boolean =>
  [value].flat().every((one) => typeof one === 'number')

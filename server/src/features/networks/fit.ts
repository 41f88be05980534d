import type { ErrorParams } from '@neuroloom/contract/errors'
import type { Document } from '@neuroloom/contract/network/document/document'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { problemKey } from '@neuroloom/contract/network/resolve/problems'
import type { Resolved } from '@neuroloom/contract/network/resolve/resolve'
import { allowedSizes, nearestSize } from '@neuroloom/contract/network/resolve/sizes'
import type { NetworkData } from '@neuroloom/contract/suggest/suggest'
import { library } from './library.ts'
import { documentOf, resolveHere } from './reading.ts'

/** A network chosen for a task; without a text one that comes with the product. */
export type AskedNetwork = { id: string; name: string; text: string | null }

export type Opened = AskedNetwork & { document: Document }

/** One that comes with the product. */
export const builtIn = (id: string): AskedNetwork => ({ id, name: id, text: null })

export function openNetwork(network: AskedNetwork): Opened {
  const { id, text } = network
  const document = text === null ? library().networks.get(id) : documentOf(text)
  if (!document) throw new Error(`There is no network ${id}`)
  return { ...network, document }
}

/** A plan, or why there is none: a key below `graphError` of networks.json, or of runs.json, with its data. */
export type Fit = { plan: Plan; reason: null } | { plan: null; reason: ErrorParams & { reason: string } }

/** Classes and channels are bound from the data; what training asks of a network beyond that is said here too. */
export function fitOf({ document }: Opened, data: NetworkData): Fit {
  const { plan, errors } = resolveHere(document, data)
  if (plan === null) return { plan: null, reason: firstOf(errors) }
  const inputs = Object.values(plan.inputs)
  const isPicture = inputs.every((input) => input.k === 'map' && input.s.length === data.size.length)
  if (inputs.length !== 1) return { plan: null, reason: { reason: 'several_inputs', inputs: inputs.length } }
  if (!isPicture) return { plan: null, reason: { reason: 'no_picture' } }
  const head = plan.heads.main ?? Object.values(plan.heads)[0]
  if (head?.task !== document.task) return { plan: null, reason: { reason: 'other_head' } }
  if (plan.learn === 0) return { plan: null, reason: { reason: 'nothing_to_learn' } }
  return { plan, reason: null }
}

/** The first mistake of a document, as reasons are told. */
export function firstOf([first]: Resolved['errors']): ErrorParams & { reason: string } {
  if (!first) return { reason: 'unknown' }
  const reason = { ...first.data, reason: problemKey(first) }
  return first.node ? { ...reason, node: first.node } : reason
}

/** The wanted size where the document allows it, else the nearest that it does; the wanted one where none works. */
export function sizeFor(network: Opened, { size, ...data }: NetworkData): readonly number[] {
  const works = (tried: readonly number[]) => fitOf(network, { ...data, size: tried }).plan !== null
  if (network.text === null || works(size)) return size
  const allowed = allowedSizes(
    network.document,
    { catalogue: library().catalogue, std: library().std, data },
    triedSizes(network),
  )
  const near = (wanted: number): number => nearestSize(allowed, wanted) ?? wanted
  const square = near(Math.max(...size))
  return [size.map(near), size.map(() => square)].find(works) ?? size
}

/** A small network is worked out in milliseconds, a large one in a good part of a second. */
const LARGE_TEXT = 8 * 1024

/** Trying all sizes would take seconds: the usual ones, and the one that the network was drawn for. */
function triedSizes({ document, text }: Opened): number[] {
  const sizes = [...document.inputs.values()].flatMap(({ size = [] }) => size)
  const designed = sizes.filter((side) => typeof side === 'number')
  const isLarge = (text?.length ?? 0) > LARGE_TEXT
  const usual = isLarge ? [] : Array.from({ length: 16 }, (_, index) => 16 * (index + 1))
  return [...new Set([...usual, ...designed])].sort((left, right) => left - right)
}

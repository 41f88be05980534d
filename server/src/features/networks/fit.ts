import type { ErrorParams } from '@neuroloom/contract/errors'
import type { Document } from '@neuroloom/contract/network/document'
import type { Plan } from '@neuroloom/contract/network/plan'
import { problemKey } from '@neuroloom/contract/network/problems'
import { allowedSizes, nearestSize } from '@neuroloom/contract/network/sizes'
import type { NetworkData } from '@neuroloom/contract/suggest'
import { networkTask, type Task } from '@neuroloom/contract/task'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { findOwn } from './access.ts'
import { library, tasksOf } from './library.ts'
import { documentOf } from './reader.ts'
import { resolveHere } from './reading.ts'
import type { NetworkRow } from './tables.ts'

/** A network chosen for a task: one that comes with the product, or the member's own as it is saved now. */
export type Chosen = { id: string; name: string; document: Document; own: NetworkRow | null }

/** A plan, or why there is none: a key below `graphError` of networks.json, or of runs.json, with its data. */
export type Fit = { plan: Plan; reason: null } | { plan: null; reason: ErrorParams & { reason: string } }

/** Refuses as `network_unfit` what does not exist, is somebody else's, or is for another task. */
export async function findNetwork(
  db: Db,
  user: Pick<SessionUser, 'id'>,
  { id, task }: { id: string; task: Task },
): Promise<Chosen> {
  const offered = tasksOf(id)
  if (offered.length > 0) {
    if (!offered.includes(task)) throw fail('network_unfit', { network: id, reason: 'other_task' })
    return builtIn(id)
  }
  const own = await findOwn(db, user, id)
  if (!own) throw fail('network_unfit', { network: id, reason: 'unknown' })
  if (own.task !== networkTask[task]) throw fail('network_unfit', { network: own.name, reason: 'other_task' })
  return { id, name: own.name, document: documentOf(own.text), own }
}

/** One that comes with the product. */
export function builtIn(id: string): Chosen {
  const document = library.networks.get(id)
  if (!document) throw new Error(`There is no network ${id}`)
  return { id, name: id, document, own: null }
}

/** The network's plan for these data; `network_unfit` with the reason where there is none. */
export function planFor(network: Chosen, data: NetworkData): Plan {
  const { plan, reason } = fitOf(network, data)
  if (plan === null) throw fail('network_unfit', { network: network.name, ...reason })
  return plan
}

/** Classes and channels are bound from the data; what training asks of a network beyond that is said here too. */
export function fitOf({ document }: Chosen, data: NetworkData): Fit {
  const { plan, errors } = resolveHere(document, data)
  const [first] = errors
  if (plan === null) {
    const reason = first ? { ...first.data, reason: problemKey(first) } : { reason: 'unknown' }
    return { plan: null, reason: first?.node ? { ...reason, node: first.node } : reason }
  }
  const inputs = Object.values(plan.inputs)
  const isPicture = inputs.every((input) => input.k === 'map' && input.s.length === data.size.length)
  if (inputs.length !== 1) return { plan: null, reason: { reason: 'several_inputs', inputs: inputs.length } }
  if (!isPicture) return { plan: null, reason: { reason: 'no_picture' } }
  const head = plan.heads.main ?? Object.values(plan.heads)[0]
  if (head?.task !== document.task) return { plan: null, reason: { reason: 'other_head' } }
  if (plan.learn === 0) return { plan: null, reason: { reason: 'nothing_to_learn' } }
  return { plan, reason: null }
}

/** The wanted size where the document allows it, else the nearest that it does; the wanted one where none works. */
export function sizeFor(network: Chosen, { size, ...data }: NetworkData): readonly number[] {
  const works = (tried: readonly number[]) => fitOf(network, { ...data, size: tried }).plan !== null
  if (network.own === null || works(size)) return size
  const allowed = allowedSizes(
    network.document,
    { catalogue: library.catalogue, std: library.std, data },
    triedSizes(network),
  )
  const near = (wanted: number): number => nearestSize(allowed, wanted) ?? wanted
  const square = near(Math.max(...size))
  return [size.map(near), size.map(() => square)].find(works) ?? size
}

/** A small network is worked out in milliseconds, a large one in a good part of a second. */
const LARGE_TEXT = 8 * 1024

/** Trying all sizes would take seconds: the usual ones, and the one that the network was drawn for. */
function triedSizes({ document, own }: Chosen): number[] {
  const sizes = [...document.inputs.values()].flatMap(({ size = [] }) => size)
  const designed = sizes.filter((side) => typeof side === 'number')
  const isLarge = (own?.text.length ?? 0) > LARGE_TEXT
  const usual = isLarge ? [] : Array.from({ length: 16 }, (_, index) => 16 * (index + 1))
  return [...new Set([...usual, ...designed])].sort((left, right) => left - right)
}

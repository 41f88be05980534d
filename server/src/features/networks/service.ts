import { createHash } from 'node:crypto'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { DataFacts } from '@neuroloom/contract/network/bind'
import type { Plan } from '@neuroloom/contract/network/plan'
import { resolve } from '@neuroloom/contract/network/resolve'
import { builtInNetworks } from '@neuroloom/contract/networks'
import type { Task } from '@neuroloom/contract/task'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { documents, library, taskOf } from './library.ts'

export async function list(
  _ctx: Context,
  { task }: Parsed<'networks/list'>,
): Promise<Answer<'networks/list'>> {
  return { networks: builtInNetworks[task].map(describe) }
}

export async function detail(
  _ctx: Context,
  { id }: Parsed<'networks/detail'>,
): Promise<Answer<'networks/detail'>> {
  const yaml = documents.get(id)
  if (yaml === undefined) throw fail('missing')
  return { ...describe(id), yaml }
}

/** What a network is to be built for. */
export type Data = { classes: number; channels: 1 | 3; size: readonly [number, number] }

/** The network's plan for these data; refuses networks that do not exist, are of another task, or do not fit. */
export function planFor(task: Task, network: string, data: Data): Plan {
  const plan = taskOf.get(network) === task ? findPlan(network, data) : null
  if (plan === null) throw fail('network_unfit', { network })
  return plan
}

/** The same, with null for a network that does not fit. */
export const findPlan = (network: string, data: Data): Plan | null => resolved(network, data)?.plan ?? null

/** Same hash, same plan: stored with checkpoints and weights. */
export const hashOf = (plan: Plan): string => createHash('sha256').update(JSON.stringify(plan)).digest('hex')

function describe(id: string): Answer<'networks/list'>['networks'][number] {
  const plan = resolved(id, {})?.plan
  const task = taskOf.get(id)
  if (!plan || !task) throw new Error(`The built-in network ${id} cannot be resolved`)
  const source = library.networks.get(id)?.source ?? ''
  return { id, task, parameters: plan.learn, macs: plan.macs, source }
}

function resolved(network: string, data: DataFacts) {
  const document = library.networks.get(network)
  return document && resolve(document, { catalogue: library.catalogue, std: library.std, data })
}

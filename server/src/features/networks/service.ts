import { createHash } from 'node:crypto'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Plan } from '@neuroloom/contract/network/plan'
import { builtInNetworks } from '@neuroloom/contract/networks'
import type { Task } from '@neuroloom/contract/task'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { documents, library, tasksOf } from './library.ts'
import { listOwn } from './own.ts'
import { resolveHere } from './reading.ts'

export { builtIn, type Chosen, findNetwork, fitOf, planFor, sizeFor } from './fit.ts'
export { registerWeights } from './look.ts'
export { documentOf, drawingOf } from './reader.ts'
export { keepVersion, registerTrainings } from './versions.ts'

export async function list(
  ctx: Context,
  { task }: Parsed<'networks/list'>,
  { user }: Caller,
): Promise<Answer<'networks/list'>> {
  return {
    networks: builtInNetworks[task].map((id) => describe(id, task)),
    own: await listOwn(ctx.db, user, task),
  }
}

export async function detail(
  _ctx: Context,
  { id }: Parsed<'networks/detail'>,
): Promise<Answer<'networks/detail'>> {
  const yaml = documents.get(id)
  const [task] = tasksOf(id)
  if (yaml === undefined || task === undefined) throw fail('missing')
  return { ...describe(id, task), yaml }
}

/** Where a network that comes with the product was published. */
export const sourceOf = (id: string): string => library.networks.get(id)?.source ?? ''

/** The text of a network that comes with the product; null for all others. */
export const textOf = (id: string): string | null => documents.get(id) ?? null

/** Same hash, same plan: stored with checkpoints and weights. */
export const hashOf = (plan: Plan): string => createHash('sha256').update(JSON.stringify(plan)).digest('hex')

function describe(id: string, task: Task): Answer<'networks/list'>['networks'][number] {
  const document = library.networks.get(id)
  const plan = document ? resolveHere(document).plan : null
  if (!document || !plan) throw new Error(`The built-in network ${id} cannot be resolved`)
  return { id, task, parameters: plan.learn, macs: plan.macs, source: document.source ?? '' }
}

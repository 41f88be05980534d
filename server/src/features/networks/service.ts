import { builtInNetworks } from '@neuroloom/contract/built-in-networks'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Task } from '@neuroloom/contract/task'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { documents, library, tasksOf } from './library.ts'
import { listOwn } from './own.ts'
import { resolveHere } from './reading.ts'

export { beginWork } from './begin.ts'
export { chooseWork, type FittedPlan, planWork } from './choosing.ts'
export { askedOf, type Found, findNetwork } from './find.ts'
export { type FlowPlan, flowPlanWork } from './flow-plan.ts'
export { layersWork } from './layers.ts'
export type { FindTrained } from './look.ts'
export { create as createFrom, findOwn } from './own.ts'
export { programWork } from './program.ts'
export { drawingOf } from './reader.ts'
export { type CountTrainings, keepVersion } from './versions.ts'

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
export const sourceOf = (id: string): string => library().networks.get(id)?.source ?? ''

/** The text of a network that comes with the product; null for all others. */
export const textOf = (id: string): string | null => documents.get(id) ?? null

type Described = Answer<'networks/list'>['networks'][number]
/** They never change: each is worked out once, when it is first shown. */
const described = new Map<string, Omit<Described, 'task'>>()

function describe(id: string, task: Task): Described {
  const known = described.get(id)
  if (known) return { ...known, task }
  const document = library().networks.get(id)
  const plan = document ? resolveHere(document).plan : null
  if (!document || !plan) throw new Error(`The built-in network ${id} cannot be resolved`)
  described.set(id, { id, parameters: plan.learn, macs: plan.macs, source: document.source ?? '' })
  return describe(id, task)
}

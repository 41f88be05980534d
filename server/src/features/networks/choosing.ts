import { createHash } from 'node:crypto'
import type { ErrorParams } from '@neuroloom/contract/errors'
import { costOf, type PlanCost } from '@neuroloom/contract/forecast'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import type { Hyper } from '@neuroloom/contract/suggest/hyper'
import {
  type Chosen,
  type Facts,
  largestBatchOf,
  memoryOf,
  type NetworkData,
  networkData,
  normAlone,
  suggest,
} from '@neuroloom/contract/suggest/suggest'
import type { Work } from '../../infra/aside/aside.ts'
import { type AskedNetwork, builtIn, fitOf, type Opened, openNetwork, sizeFor } from './fit.ts'

/** Null: the network is chosen too. */
type Wish = { facts: Omit<Facts, 'network' | 'planFor' | 'sizeFor'>; network: AskedNetwork | null }

/** All settings of a training, and what one image costs with them; null where the network does not fit. */
export const chooseWork: Work<Wish, Chosen & { cost: PlanCost | null }> = {
  name: 'networks/choose',
  run({ facts, network }) {
    const wanted = network && openNetwork(network)
    const opened = (id: string): Opened => wanted ?? openNetwork(builtIn(id))
    const chosen = suggest({
      ...facts,
      network: network?.id ?? null,
      planFor: (id, data) => fitOf(opened(id), data).plan,
      sizeFor: (id, data) => sizeFor(opened(id), data),
    })
    const found = opened(chosen.network)
    const { plan, reason } = fitOf(found, networkData(facts, chosen.hyper))
    // A network that does not fit is named as its owner knows it, with the first thing that stands in the way.
    const explained = (blocker: Chosen['blockers'][number]): Chosen['blockers'][number] =>
      blocker.name === 'network_unfit' ? { ...blocker, params: { network: found.name, ...reason } } : blocker
    return { ...chosen, blockers: chosen.blockers.map(explained), cost: plan && costOf(plan) }
  },
}

type PlanWish = {
  network: AskedNetwork
  data: NetworkData
  hyper: Pick<Hyper, 'optimizer' | 'batchSize'>
  memoryBytes: number | null
}

/** A plan as text, with what is asked of it before any run may start. */
export function fitted(plan: Plan, hyper: PlanWish['hyper']): Fitted {
  const text = JSON.stringify(plan)
  return {
    plan: text,
    planHash: createHash('sha256').update(text).digest('hex'),
    parameters: plan.learn,
    cost: costOf(plan),
    needBytes: memoryOf(plan, hyper),
  }
}

export type Fitted = {
  plan: string
  /** Same hash, same plan: stored with checkpoints and weights. */
  planHash: string
  parameters: number
  cost: PlanCost
  needBytes: number
}
export type FittedPlan = Fitted & {
  largestBatch: number | null
  /** The layer that cannot normalise a batch this small. */
  normAlone: string | null
}

export const planWork: Work<PlanWish, FittedPlan | { unfit: ErrorParams }> = {
  name: 'networks/plan',
  run({ network, data, hyper, memoryBytes }) {
    const { plan, reason } = fitOf(openNetwork(network), data)
    if (plan === null) return { unfit: { network: network.name, ...reason } }
    return {
      ...fitted(plan, hyper),
      largestBatch: largestBatchOf({ memoryBytes }, plan, hyper.optimizer),
      normAlone: normAlone(plan, hyper.batchSize),
    }
  },
}

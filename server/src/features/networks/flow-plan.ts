import { flowPatch, flowTrainHyper } from '@neuroloom/contract/flow/sharpen'
import type { Plan, TensorType } from '@neuroloom/contract/network/resolve/plan'
import type { Work } from '../../infra/aside/aside.ts'
import { type Fitted, fitted } from './choosing.ts'
import { type AskedNetwork, type Fit, firstOf, openNetwork } from './fit.ts'
import { resolveHere } from './reading.ts'

/** A plan for patches of flow, with what is asked of it before it may learn. */
export type FlowPlan = Fitted

export const flowPlanWork: Work<
  { network: AskedNetwork; epochs: number; seed: number },
  FlowPlan | { unfit: Extract<Fit, { plan: null }>['reason'] & { network: string } }
> = {
  name: 'networks/flow',
  run({ network, ...asked }) {
    const { plan, reason } = flowFitOf(network)
    if (plan === null) return { unfit: { network: network.name, ...reason } }
    return fitted(plan, flowTrainHyper(asked))
  },
}

/** Such a network takes the three velocities of a patch and their magnitude, and gives the velocities of a finer grid. */
function flowFitOf(network: AskedNetwork): Fit {
  const { document } = openNetwork(network)
  const { plan, errors } = resolveHere(document, { channels: 3, size: [flowPatch, flowPatch, flowPatch] })
  const unfit = (reason: string): Fit => ({ plan: null, reason: { reason } })
  if (plan === null) return { plan: null, reason: firstOf(errors) }
  const names = Object.keys(plan.inputs).sort().join()
  if (names !== 'magnitude,velocity' || !Object.values(plan.inputs).every(isPatch))
    return unfit('flow_inputs')
  if (plan.heads.main?.task !== 'flow') return unfit('other_head')
  if (!isFiner(plan)) return unfit('flow_output')
  return plan.learn === 0 ? unfit('nothing_to_learn') : { plan, reason: null }
}

const isPatch = (type: TensorType): boolean =>
  type.k === 'map' && type.c === 3 && type.s.length === 3 && type.s.every((side) => side === flowPatch)

/** So many whole times finer along each axis, as results can tell it. */
function isFiner({ nodes, heads }: Plan): boolean {
  const type = nodes.findLast(({ id }) => id === heads.main?.from)?.type
  if (type?.k !== 'map' || type.c !== 3 || type.s.length !== 3) return false
  const [side = 0] = type.s
  const factor = side / flowPatch
  return type.s.every((one) => one === side) && Number.isInteger(factor) && factor >= 2 && factor <= 8
}

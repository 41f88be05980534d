import { formerNames } from '@neuroloom/contract/network/document/former-names'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import type { Work } from '../../infra/aside/aside.ts'
import { type AskedNetwork, openNetwork } from './fit.ts'
import { documentOf } from './reading.ts'

/** Plans as text; `text` of the earlier network as it was drawn, null where it is known no more. */
type Wish = {
  now: { network: AskedNetwork; plan: string }
  earlier: { text: string | null; plan: string }
}
type Common = {
  /** Earlier path by path now, of layers that are called otherwise. */
  names: Record<string, string>
  hasCommonLayer: boolean
}

/** What a network has in common with one that was trained earlier. */
export const beginWork: Work<Wish, Common> = {
  name: 'networks/begin',
  run({ now, earlier }) {
    const plans = { now: planOf(now.plan), earlier: planOf(earlier.plan) }
    const { document } = openNetwork(now.network)
    const names =
      earlier.text === null
        ? {}
        : formerNames(
            { document, plan: plans.now },
            { document: documentOf(earlier.text), plan: plans.earlier },
          )
    return { names, hasCommonLayer: hasCommonLayer(plans.now, plans.earlier, names) }
  },
}

// Written by ourselves when a run was started.
const planOf = (text: string): Plan => JSON.parse(text) as Plan

function hasCommonLayer(plan: Plan, earlier: Plan, names: Readonly<Record<string, string>>): boolean {
  const before = new Map(earlier.nodes.map((node) => [node.id, node]))
  return plan.nodes.some(({ id, op, learn, buffers }) => {
    const other = before.get(names[id] ?? id)
    return learn > 0 && other?.op === op && other.learn === learn && other.buffers === buffers
  })
}

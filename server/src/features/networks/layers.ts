import type { Plan, TensorType } from '@neuroloom/contract/network/resolve/plan'
import { receptiveFields } from '@neuroloom/contract/network/resolve/receptive-field'
import type { PlanLayer } from '@neuroloom/contract/toolbox/inspection'
import type { Work } from '../../infra/aside/aside.ts'
import { library } from './library.ts'

type Layers = { layers: PlanLayer[]; learn: number; macs: number }

/** The layers of a plan, given as text, with what each costs and sees. */
export const layersWork: Work<{ plan: string }, Layers> = {
  name: 'networks/layers',
  run({ plan: text }) {
    // Written by ourselves when the run was started.
    const plan = JSON.parse(text) as Plan
    const fields = receptiveFields(plan, library().catalogue)
    const layers = plan.nodes.map(({ id, op, type, learn, macs, share }) => {
      const field = fields.get(id)
      const seen = field === undefined || field === 'global' ? null : field.size.join(' × ')
      return { name: id, op, output: sidesOf(type), learn: share === null ? learn : 0, macs, field: seen }
    })
    return { layers, learn: plan.learn, macs: plan.macs }
  },
}

function sidesOf(type: TensorType): string {
  if (type.k === 'vec') return String(type.c)
  return (type.k === 'map' ? [type.c, ...type.s] : [type.n, type.c]).join(' × ')
}

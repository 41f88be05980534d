import { availableParallelism } from 'node:os'
import { images, networkFileLimits as limits } from '@neuroloom/contract/limits'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import type { Work } from '../../infra/aside/aside.ts'
import { lookBytes } from './look-size.ts'
import { read, type Unreadable } from './reading.ts'

/** `plan` is the text of the plan that was trained. */
type Wish = { text: string; nodes: string[]; trained: { plan: string; classes: number } | null }
type Prepared = {
  /** `look.json`, see engine/neuroloom_engine/look.py. */
  spec: string
  /** Layers of the plan with the names by which they were asked for. */
  wanted: [string, string[]][]
}
type Refused = { refused: 'run_differs' | 'too_big' } | { mistakes: number } | { unreadable: Unreadable }

/** What one image through a network asks of the engine, or why it may not be asked. */
export const lookWork: Work<Wish, Prepared | Refused> = {
  name: 'networks/look',
  run({ text, nodes, trained }) {
    // Written by ourselves when the run was started.
    const trainedPlan = trained ? (JSON.parse(trained.plan) as Plan) : null
    const found = read(text, trained && trainedPlan ? dataOf(trainedPlan, trained.classes) : {})
    if ('unreadable' in found) return found
    const { plan, mistakes } = found
    if (plan === null) return { mistakes }
    if (trainedPlan && layersOf(plan) !== layersOf(trainedPlan)) return { refused: 'run_differs' }
    if (lookBytes(plan) > limits.lookBytes) return { refused: 'too_big' }
    const wanted = nodesOf(plan, nodes)
    return { spec: JSON.stringify(specOf(plan, [...wanted.keys()], trained !== null)), wanted: [...wanted] }
  },
}

/** At its own design size, or as it was built for the data that it was trained on. */
function dataOf({ inputs }: Plan, classes: number) {
  const [input] = Object.values(inputs)
  return input?.k === 'map' ? { classes, channels: input.c, size: input.s } : {}
}

/** What weights depend on: they fit wherever this is the same. */
function layersOf({ nodes }: Plan): string {
  const own = nodes.filter(({ learn, buffers, share }) => share === null && learn + buffers > 0)
  return JSON.stringify(own.map(({ id, op, learn, buffers }) => [id, op, learn, buffers]).sort())
}

/** Layers by the names that were asked for; a block answers with its last layer, and what is bypassed does not answer. */
function nodesOf({ nodes }: Plan, asked: readonly string[]): Map<string, string[]> {
  const wanted = new Map<string, string[]>()
  for (const path of new Set(asked)) {
    const found = nodes.findLast(({ id }) => id === path || id.startsWith(`${path}/`))
    if (found) wanted.set(found.id, [...(wanted.get(found.id) ?? []), path])
  }
  return wanted
}

const specOf = (plan: Plan, nodes: readonly string[], isTrained: boolean): object => ({
  v: 1,
  plan,
  task: (plan.heads.main ?? Object.values(plan.heads)[0])?.task ?? '',
  image: 'image',
  weights: isTrained ? 'weights' : null,
  nodes,
  channels: limits.lookChannels,
  side: limits.lookSide,
  values: limits.lookValues,
  threads: availableParallelism(),
  maxPixels: images.maxPixels,
  memoryBytes: limits.lookBytes,
})

import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { images, networkFileLimits as limits } from '@neuroloom/contract/limits'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { drawField } from '../../demo/pictures.ts'
import { encodePng } from '../../demo/png.ts'
import type { Work } from '../../infra/aside/aside.ts'
import { lookBytes } from './look-size.ts'
import { read, type Unreadable } from './reading.ts'

type Wish = {
  text: string
  nodes: string[]
  /** `plan` is the text of the plan that was trained. */
  trained: { plan: string; classes: number } | null
  /** Takes the question to the engine, and the sample image where that is looked at. */
  folder: string
  isSample: boolean
}
/** Layers of the plan with the names by which they were asked for. */
type Prepared = { wanted: [string, string[]][] }
type Refused = { refused: 'run_differs' | 'too_big' } | { mistakes: number } | { unreadable: Unreadable }

/**
 * Writes down what one image through a network asks of the engine, or says why it may not be asked. The plan of a large
 * network is a text of a megabyte: it goes to the disk from here, past the process that answers everybody.
 */
export const lookWork: Work<Wish, Prepared | Refused> = {
  name: 'networks/look',
  async run({ text, nodes, trained, folder, isSample }) {
    // Written by ourselves when the run was started.
    const trainedPlan = trained ? (JSON.parse(trained.plan) as Plan) : null
    const found = read(text, trained && trainedPlan ? dataOf(trainedPlan, trained.classes) : {})
    if ('unreadable' in found) return found
    const { plan, mistakes } = found
    if (plan === null) return { mistakes }
    if (trainedPlan && layersOf(plan) !== layersOf(trainedPlan)) return { refused: 'run_differs' }
    if (lookBytes(plan) > limits.lookBytes) return { refused: 'too_big' }
    const wanted = nodesOf(plan, nodes)
    await mkdir(folder, { recursive: true })
    const spec = specOf(plan, [...wanted.keys()], trained !== null)
    // See engine/neuroloom_engine/look.py.
    await writeFile(join(folder, 'look.json'), JSON.stringify(spec))
    if (isSample) await writeFile(join(folder, 'image'), sample())
    return { wanted: [...wanted] }
  },
}

/** Cells as in the sample projects, drawn for this. */
const SAMPLE = { seed: 3, size: 256 }
const sample = (): Buffer => encodePng(drawField(SAMPLE.seed, SAMPLE.size).image)

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

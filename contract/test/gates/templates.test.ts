import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { instantiate, type Preset, templates } from '@neuroloom/contract/network/templates'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRandom } from '../network/random.ts'
import { builtIn, library } from '../network/wire.ts'
import { differences, Engine } from './engine.ts'
import { GraphMaker } from './graphs.ts'
import { loadRuntime, onnxDifference } from './onnx.ts'
import { isLong } from './sample.ts'

let engine: Engine
let runtime: Awaited<ReturnType<typeof loadRuntime>>
beforeAll(async () => {
  engine = new Engine()
  runtime = await loadRuntime()
})
afterAll(() => engine.close())

/** The layers are the same on a picture of half the side, and answer four times as fast. */
function half({ params, size }: Preset): Preset {
  return { params, size: size?.map((side) => (side < 96 ? side : side / 2)) ?? null }
}

/** One of each publication in the short run. */
const chosen = templates.filter(
  ({ source }, index) => isLong || templates.findIndex((one) => one.source.title === source.title) === index,
)

describe.each(chosen)('the small $id', ({ id, small }) => {
  const { plan, errors } = resolve(instantiate(builtIn(id), half(small)), library)
  if (plan === null) throw new Error(JSON.stringify(errors))

  test('is in PyTorch what the contract says', async () => {
    expect(differences(plan, await engine.ask('nodes', { plan }))).toEqual([])
  })

  test('learns in one step, with a gradient for each of its weights', async () => {
    const answer = await engine.ask('step', { plan })
    expect(answer).toMatchObject({ loss: expect.any(Number), without: [], wild: [], still: [] })
  })

  test('gives the same numbers as ONNX', async () => {
    expect(await onnxDifference(engine, runtime, plan)).toBeLessThan(1e-4)
  })
})

test('every layer alone gives the same numbers as ONNX', async () => {
  const maker = new GraphMaker(makeRandom(5), library.catalogue, 1)
  const unlike: unknown[] = []
  for (let k = 0; k < 160; k += 1) {
    const { plan } = resolve(maker.make(), library)
    if (plan === null) throw new Error('a network that is refused')
    const difference = await onnxDifference(engine, runtime, plan)
    if (!(Number(difference) < 1e-4)) unlike.push([difference, plan.nodes[0]])
  }
  expect(unlike).toEqual([])
  expect([...maker.hits].filter(([, hits]) => hits === 0)).toEqual([])
})

/** A network may have no weights, or none that its answer depends on. */
const cannotLearn = /empty parameter list|does not require grad/

test('random networks of layers that processors compute in 16 bits learn in them', async () => {
  const { ops } = await engine.ask('half', {})
  const quick = new Map([...library.catalogue].filter(([op]) => ops.includes(op)))
  expect(quick.size).toBe(ops.length)
  const maker = new GraphMaker(makeRandom(6), quick)
  const failed: unknown[] = []
  let learned = 0
  for (let k = 0; k < 500; k += 1) {
    const { plan } = resolve(maker.make(), library)
    if (plan === null) throw new Error('a network that is refused')
    const answer = await engine.ask('step', { plan, half: true })
    if ('loss' in answer) learned += 1
    else if (!cannotLearn.test(String(answer.error))) failed.push([answer, plan.nodes.map(({ op }) => op)])
  }
  expect(failed).toEqual([])
  expect(learned).toBeGreaterThan(100)
  expect([...maker.hits].filter(([, hits]) => hits === 0)).toEqual([])
})

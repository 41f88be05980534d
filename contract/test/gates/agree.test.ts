import { type ResolveOptions, resolve } from '@neuroloom/contract/network/resolve/resolve'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRandom } from '../network/random.ts'
import { builtIn, builtInIds, exampleIds, exampleText, library, makeDocument } from '../network/wire.ts'
import { acceptance } from './accepted.ts'
import { differences, Engine } from './engine.ts'
import { GraphMaker } from './graphs.ts'
import { makeRefusals, type Refusal } from './refusals.ts'
import { isLong } from './sample.ts'
import { smaller } from './sizes.ts'

let engine: Engine
beforeAll(() => {
  engine = new Engine()
})
afterAll(() => engine.close())

async function unlike(...[document, options]: Parameters<typeof resolve>): Promise<string[]> {
  const { plan, errors } = resolve(document, options)
  if (plan === null) return [JSON.stringify(errors)]
  return differences(plan, await engine.ask('nodes', { plan }))
}

describe('what the contract works out, PyTorch builds, layer by layer', () => {
  const count = isLong ? 300 : 100
  test(`in ${count} random networks, which meet every operation`, async () => {
    const maker = new GraphMaker(makeRandom(4), library.catalogue)
    const found = await Promise.all(Array.from({ length: count }, () => unlike(maker.make(), library)))
    expect(found.flat()).toEqual([])
    expect([...maker.hits].filter(([, hits]) => hits < 3)).toEqual([])
  })

  test.each(exampleIds)('in %s', async (id) => {
    expect(await unlike(makeDocument(exampleText(id)), { ...library, ...smaller(id) })).toEqual([])
  })

  test.each(builtInIds)('in the built-in %s, for the data at hand', async (id) => {
    const document = builtIn(id)
    const axes = [...document.inputs.values()][0]?.size?.length
    const size = axes === 3 ? [16, 32, 48] : [64, 96]
    const options: ResolveOptions = { ...library, data: { classes: 3, channels: 1, size } }
    expect(await unlike(document, options)).toEqual([])
  })
})

test('a plan that is wrong is told from one that is right', async () => {
  const { plan } = resolve(builtIn('unet_small'), library)
  if (plan === null) throw new Error('no plan')
  const [first, second, ...others] = plan.nodes
  if (first === undefined || second === undefined) throw new Error('no nodes')
  const nodes = [{ ...first, learn: 1 }, { ...second, type: { k: 'vec' as const, c: 7 } }, ...others]
  const found = differences({ ...plan, nodes }, await engine.ask('nodes', { plan }))
  expect(found).toEqual([
    'e1/a/conv (conv): planned [[16,128,128],1,0], torch [[16,128,128],432,0]',
    'e1/a/bn (bn): planned [[7],32,32], torch [[16,128,128],32,32]',
  ])
})

describe('what the contract refuses', () => {
  const refusals = fewOfEach(makeRefusals(makeRandom(9), library.catalogue, 6000), 12)

  test('PyTorch refuses too, or there is a reviewed reason to be stricter', async () => {
    const answers = await Promise.all(
      refusals.map(async (refusal) => ({ refusal, answer: await engine.ask('layer', refusal) })),
    )
    const taken = answers.filter(({ answer }) => 'shape' in answer)
    expect(taken.filter(({ refusal }) => acceptance(refusal) === null)).toEqual([])
    expect(taken.length).toBeGreaterThan(0)
  })

  test('was met for every rule of every layer', () => {
    const met = new Set(refusals.map(ruleOf))
    const rules = [...library.catalogue].flatMap(([op, { check = [] }]) =>
      check.map(([, code]) => ruleOf({ op, code })),
    )
    expect(rules.filter((rule) => !met.has(rule))).toEqual([])
  })
})

function ruleOf({ op, code }: { op: string; code: string }): string {
  return `${op} ${code}`
}

function fewOfEach(refusals: readonly Refusal[], most: number): Refusal[] {
  const met = new Map<string, number>()
  return refusals.filter((refusal) => {
    const times = met.get(ruleOf(refusal)) ?? 0
    met.set(ruleOf(refusal), times + 1)
    return times < most
  })
}

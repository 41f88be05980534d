import { canonicalDocument, modelHash } from '@neuroloom/contract/network/document/canonical'
import { type Document, readDocument } from '@neuroloom/contract/network/document/document'
import { type Plan, planSchema } from '@neuroloom/contract/network/resolve/plan'
import { errorCodes } from '@neuroloom/contract/network/resolve/problems'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { writeYaml } from '@neuroloom/contract/network/yaml/write'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import { expect, test } from 'vitest'
import { makeRandom, makeRandomDocument } from './random.ts'
import { library } from './wire.ts'

function documentsFrom(seed: number, count: number, sense: number): Document[] {
  const random = makeRandom(seed)
  return Array.from({ length: count }, () => {
    const made = makeRandomDocument(random, library.catalogue, library.std.keys(), sense)
    return readDocument(made).document
  }).filter((document) => document !== null)
}

/** Every source is the input or stands before its reader; ids are unique; totals are sums. */
function checkPlan(plan: Plan): void {
  expect(planSchema.safeParse(plan).error).toBeUndefined()
  const known = new Set(['@image'])
  const isSound = plan.nodes.every((node) => {
    const hasSources = Object.values(node.in).every((source) => known.has(source))
    const names = [...(library.catalogue.get(node.op)?.params.keys() ?? [])]
    const isNew = !known.has(node.id)
    known.add(node.id)
    return hasSources && isNew && names.join() === Object.keys(node.params).join()
  })
  expect(isSound).toBe(true)
  expect(plan.keptBytes).toBeGreaterThanOrEqual(0)
  expect(Object.values(plan.heads).every(({ from }) => known.has(from))).toBe(true)
}

test('resolving never throws, and what it accepts is a sound plan', () => {
  let plans = 0
  const codes = new Set<string>()
  for (const sense of [1, 0.7, 0]) {
    for (const document of documentsFrom(42, 400, sense)) {
      const { plan, errors } = resolve(document, library)
      for (const { code } of errors) codes.add(code)
      expect(plan === null).toBe(errors.length > 0)
      if (plan === null) continue
      checkPlan(plan)
      plans += 1
    }
  }
  // The generator has to reach both sides, or this test says nothing.
  expect(plans).toBeGreaterThan(60)
  expect(codes.size).toBeGreaterThan(errorCodes.length / 2)
})

test('random documents survive canonical form and YAML', () => {
  for (const document of documentsFrom(7, 100, 0.9)) {
    const { document: again, problems } = readYaml(writeYaml(document, library))
    expect(problems).toEqual([])
    if (again === null) continue
    expect(canonicalDocument(again, library)).toEqual(canonicalDocument(document, library))
    expect(modelHash(again, library)).toBe(modelHash(document, library))
    expect(resolve(again, library).plan).toEqual(resolve(document, library).plan)
  }
})

test('reading never throws on any plain data', () => {
  const random = makeRandom(3)
  const aTree = (depth: number): unknown => {
    if (depth === 0 || random.chance(0.2)) return random.pick([null, 0, 'relu', '=x', true, [], {}, -1e300])
    const keys = ['dripe', 'nodes', 'inputs', 'op', 'in', 'blocks', 'heads', 'params', 'from', 'constructor']
    if (random.chance(0.2)) return Array.from({ length: random.below(4) }, () => aTree(depth - 1))
    return Object.fromEntries(keys.filter(() => random.chance(0.5)).map((key) => [key, aTree(depth - 1)]))
  }
  for (let k = 0; k < 500; k += 1) {
    const tree = aTree(4)
    expect(readDocument({ dripe: 1, name: 'a', task: 'b', inputs: {}, nodes: tree }).problems).toBeInstanceOf(
      Array,
    )
    expect(readDocument(tree).document).toBeNull()
  }
})

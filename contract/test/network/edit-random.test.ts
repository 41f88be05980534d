import { canonicalDocument } from '@neuroloom/contract/network/document/canonical'
import { type Document, readDocument } from '@neuroloom/contract/network/document/document'
import { copyFragment, pasteFragment } from '@neuroloom/contract/network/document/fragment'
import {
  dissolveBlock,
  groupNodes,
  liftParameter,
  makeLocal,
  parametersOf,
} from '@neuroloom/contract/network/edit/blocks'
import {
  addNode,
  changeNode,
  connect,
  disconnect,
  duplicateNodes,
  explicit,
  insertOnEdge,
  removeNodes,
  renameNode,
  siblingsOf,
  swapOp,
  wouldLoop,
} from '@neuroloom/contract/network/edit/edit'
import {
  connectHead,
  renameInput,
  setHead,
  setInput,
  setKnob,
  setOutput,
} from '@neuroloom/contract/network/edit/frame'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { writeYaml } from '@neuroloom/contract/network/yaml/write'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import { describe, expect, test } from 'vitest'
import { makeRandom, makeRandomDocument, type Random } from './random.ts'
import { builtIn, builtInIds, library } from './wire.ts'

function documentsFrom(seed: number, count: number, sense: number): Document[] {
  const random = makeRandom(seed)
  return Array.from({ length: count }, () => {
    const made = makeRandomDocument(random, library.catalogue, library.std.keys(), sense)
    return readDocument(made).document
  }).filter((document) => document !== null)
}

const shipped = builtInIds.map((id) => builtIn(id))

function scopesOf(document: Document): (string | null)[] {
  return [null, ...document.blocks.keys()]
}

function nodesOf(document: Document, scope: string | null) {
  return scope === null ? document.nodes : (document.blocks.get(scope)?.nodes ?? new Map())
}

/** Half of the nodes, sometimes one that does not exist. */
function someIds(random: Random, document: Document, scope: string | null): string[] {
  const ids = [...nodesOf(document, scope).keys()].filter(() => random.chance(0.5))
  return random.chance(0.1) ? [...ids, 'constructor'] : ids
}

function maybe<T>(random: Random, items: readonly T[]): T | undefined {
  return random.chance(0.4) ? undefined : random.pick(items)
}

const words = ['image', 'n0', 'n1', 'n2.out', 'x', 'constructor', 'missing', 'w', 'in', 'Not an id', '']

type Edit = (random: Random, document: Document, scope: string | null) => Document

const orSame = (document: Document, result: { document: Document } | object) =>
  'document' in result ? (result.document as Document) : document // each of our results that has one has a Document

const edits: Record<string, Edit> = {
  addNode: (random, document, scope) => {
    const op = random.pick([...library.catalogue.keys(), ...library.std.keys(), 'own', 'nonsense', 'Bad one'])
    const inputs = Array.from({ length: random.below(4) }, () => random.pick(words))
    const params = random.chance(0.3) ? new Map([[random.pick(['out', 'op', 'x']), 4]]) : new Map()
    return addNode(document, scope, { op, inputs, params, id: random.pick(words) }, library).document
  },
  insertOnEdge: (random, document, scope) => {
    const target = random.pick([
      ...nodesOf(document, scope).keys(),
      'heads.main',
      'outputs.',
      'outputs.a',
      'n99',
    ])
    return insertOnEdge(
      document,
      scope,
      { target, slot: random.below(4) },
      random.pick(['relu', 'add']),
      library,
    ).document
  },
  removeNodes: (random, document, scope) =>
    removeNodes(document, scope, someIds(random, document, scope), library),
  connect: (random, document, scope) => {
    const known = [...nodesOf(document, scope).keys(), 'image', 'x']
    const source = random.chance(0.1) ? random.pick(words) : random.pick(known)
    const edge = { source, target: random.pick(known), slot: random.below(4) - 1 }
    return connect(document, scope, edge, library)
  },
  disconnect: (random, document, scope) => {
    const target = random.pick([...nodesOf(document, scope).keys(), 'n99'])
    return disconnect(document, scope, { target, slot: random.below(4) }, library)
  },
  changeNode: (random, document, scope) => {
    const id = random.pick([...nodesOf(document, scope).keys(), 'n99'])
    const value = maybe(random, [1, '=w', 'x'.repeat(3000), Number.NaN, [1, 2]])
    return changeNode(document, scope, id, {
      params: new Map([[random.pick(['out', 'in', 'Bad', 'kernel']), value]]),
      note: maybe(random, ['', 'a: "note" # here\n- x']),
      repeat: maybe(random, [2, '=w', 'nonsense']),
      off: maybe(random, [true, false, '=in.c>3']),
      share: maybe(random, ['n0', 'n1', 'missing']),
    })
  },
  renameNode: (random, document, scope) => {
    const ids = [...nodesOf(document, scope).keys()]
    return renameNode(document, scope, random.pick([...ids, 'n99']), random.pick([...ids, ...words, 'newer']))
  },
  swapOp: (random, document, scope) => {
    const [id, node] = random.pick([...nodesOf(document, scope), ['n99', { op: 'relu' }]])
    return swapOp(
      document,
      scope,
      id,
      random.pick([...siblingsOf(node.op, library), 'add', 'csp', 'Bad']),
      library,
    )
  },
  duplicateNodes: (random, document, scope) =>
    duplicateNodes(document, scope, someIds(random, document, scope), library).document,
  groupNodes: (random, document, scope) =>
    orSame(
      document,
      groupNodes(
        document,
        scope,
        someIds(random, document, scope),
        random.pick(['own', 'conv', 'Über Block', '']),
        library,
      ),
    ),
  dissolveBlock: (random, document, scope) => {
    const id = random.pick([...nodesOf(document, scope).keys(), 'n99'])
    return orSame(document, dissolveBlock(document, scope, id, library))
  },
  makeLocal: (random, document, scope) =>
    makeLocal(document, scope, random.pick([...nodesOf(document, scope).keys(), 'n99']), library),
  liftParameter: (random, document) => {
    const name = random.pick([...document.blocks.keys(), 'none'])
    const [first] = parametersOf(document, name)
    return first === undefined ? document : liftParameter(document, name, first)
  },
  paste: (random, document, scope) => {
    const from = random.pick(scopesOf(document))
    const text = copyFragment(document, from, someIds(random, document, from), library)
    return orSame(document, pasteFragment(document, scope, text, library))
  },
  frame: (random, document, scope) => {
    const name = random.pick(words)
    const input = random.chance(0.3) ? null : ({ kind: 'image', channels: 2, size: [8, 8] } as const)
    const source = random.pick(['n0', 'image', null])
    const head = { head: 'main', outlet: random.pick(['', 'cls', '0.cls', '3.box', 'Bad']), source }
    return random.pick([
      () => setInput(document, name, input === null ? null : { ...input, size: [...input.size] }),
      () => renameInput(document, random.pick(['image', 'x']), name),
      () => setKnob(document, name, random.chance(0.5) ? null : { default: 3 }),
      () => setHead(document, name, random.chance(0.5) ? null : { task: 'x', from: 'n0' }),
      () => connectHead(document, head),
      () => setOutput(document, scope ?? 'own', name, source),
    ])()
  },
}

describe('any edit of any document', () => {
  test.each(Object.entries(edits))(
    '%s: can be written, read again and resolved; what was given stays as it was',
    (name, edit) => {
      const random = makeRandom(name.length)
      let differences = 0
      for (const document of [...documentsFrom(11, 150, 0.8), ...shipped]) {
        const scope = random.pick(scopesOf(document))
        const before = writeYaml(document, library)
        const result = edit(random, document, scope)
        const text = writeYaml(result, library)
        const { document: again, problems } = readYaml(text)
        expect(problems).toEqual([])
        if (again === null) continue
        expect(canonicalDocument(again, library)).toEqual(canonicalDocument(result, library))
        resolve(result, library)
        expect(writeYaml(document, library)).toBe(before)
        if (text !== before) differences += 1
      }
      expect(differences).toBeGreaterThan(5)
    },
  )

  test('a hundred edits one after another leave a document that can be read', () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const random = makeRandom(seed)
      let document = explicit(random.pick([...documentsFrom(seed, 5, 1), ...shipped]), library)
      for (let step = 0; step < 100; step += 1) {
        const edit = random.pick(Object.values(edits))
        document = edit(random, document, random.pick(scopesOf(document)))
        if (document.nodes.size > 300) break
      }
      expect(readYaml(writeYaml(document, library)).problems).toEqual([])
      expect(explicit(document, library)).toBe(document)
    }
  })
})

/** Layers whatever their names and order: what a plan computes. */
function layersOf(plan: Plan) {
  const layers = plan.nodes.map(({ op, params, type, learn, share }) =>
    JSON.stringify([op, params, type, learn, share === null]),
  )
  return {
    layers: layers.sort(),
    learn: plan.learn,
    buffers: plan.buffers,
    macs: plan.macs,
    outputs: outputTypes(plan),
  }
}

function outputTypes(plan: Plan) {
  const types = new Map(plan.nodes.map(({ id, type }) => [id, type]))
  return Object.entries(plan.heads).map(([name, { from }]) => [
    name,
    types.get(from) ?? plan.inputs[from.slice(1)],
  ])
}

test('making everything explicit changes nothing of the meaning', () => {
  for (const document of [...documentsFrom(5, 200, 0.95), ...shipped]) {
    const written = explicit(document, library)
    expect(explicit(written, library)).toBe(written)
    expect(resolve(written, library).plan).toEqual(resolve(document, library).plan)
  }
})

test('grouped nodes compute the same, and dissolving gives it back', () => {
  const random = makeRandom(21)
  const counts = { grouped: 0, dissolved: 0 }
  for (const document of [...documentsFrom(21, 1000, 1), ...shipped, ...shipped, ...shipped]) {
    const { plan } = resolve(document, library)
    if (plan === null) continue
    const scope = random.pick(scopesOf(document))
    const all = [...nodesOf(document, scope).keys()]
    const from = random.below(all.length)
    const near = all.slice(from, from + 1 + random.below(5))
    const made = groupNodes(
      document,
      scope,
      random.chance(0.8) ? near : someIds(random, document, scope),
      'part',
      library,
    )
    if ('refused' in made) continue
    const grouped = resolve(made.document, library)
    expect(grouped.errors).toEqual([])
    if (grouped.plan === null) continue
    expect(layersOf(grouped.plan)).toEqual(layersOf(plan))
    counts.grouped += 1
    const back = dissolveBlock(made.document, scope, made.id, library)
    if ('refused' in back) {
      expect(back.refused).toBe('expression')
      continue
    }
    const dissolved = resolve(back.document, library)
    expect(dissolved.errors).toEqual([])
    if (dissolved.plan !== null) expect(layersOf(dissolved.plan)).toEqual(layersOf(plan))
    counts.dissolved += 1
  }
  expect(counts.grouped).toBeGreaterThan(80)
  expect(counts.dissolved).toBeGreaterThan(counts.grouped * 0.9)
})

test('what is dissolved computes the same, or is refused', () => {
  const counts = new Map<string, number>()
  for (const document of [...documentsFrom(31, 400, 1), ...shipped]) {
    const { plan } = resolve(document, library)
    for (const id of plan === null ? [] : document.nodes.keys()) {
      const result = dissolveBlock(document, null, id, library)
      const outcome = 'refused' in result ? result.refused : 'done'
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      if ('refused' in result || plan === null) continue
      const after = resolve(result.document, library)
      expect(after.errors).toEqual([])
      if (after.plan !== null) expect(layersOf(after.plan)).toEqual(layersOf(plan))
    }
  }
  expect(counts.get('done')).toBeGreaterThan(30)
})

test('everything copied into an empty document has as many learnable numbers', () => {
  let plans = 0
  for (const document of [...documentsFrom(41, 600, 1), ...shipped]) {
    const { plan } = resolve(document, library)
    if (plan === null) continue
    const text = copyFragment(document, null, document.nodes.keys(), library)
    const empty: Document = { ...document, nodes: new Map(), blocks: new Map(), params: new Map() }
    const withKnobs = [...document.params].filter(([name]) =>
      JSON.stringify([...document.inputs]).includes(`=${name}`),
    )
    const pasted = pasteFragment({ ...empty, params: new Map(withKnobs) }, null, text, library)
    if ('problems' in pasted) throw new Error(JSON.stringify(pasted.problems))
    const again = resolve(pasted.document, library)
    expect(again.errors).toEqual([])
    expect(again.plan?.learn).toBe(plan.learn)
    plans += 1
  }
  expect(plans).toBeGreaterThan(50)
})

test('duplicates never change the rest', () => {
  const random = makeRandom(51)
  for (const document of [...documentsFrom(51, 400, 0.9), ...shipped]) {
    const scope = random.pick(scopesOf(document))
    const { document: result, ids } = duplicateNodes(
      document,
      scope,
      someIds(random, document, scope),
      library,
    )
    const copies = new Set(ids)
    const rest = new Map([...nodesOf(explicit(result, library), scope)].filter(([id]) => !copies.has(id)))
    expect(rest).toEqual(new Map(nodesOf(explicit(document, library), scope)))
    const { plan } = resolve(document, library)
    const after = resolve(result, library).plan
    if (plan === null || after === null) continue
    expect(outputTypes(after)).toEqual(outputTypes(plan))
    expect(explicit(removeNodes(result, scope, ids, library), library)).toEqual(explicit(document, library))
  }
})

test('connecting never makes a loop', () => {
  const random = makeRandom(61)
  for (const document of documentsFrom(61, 100, 1)) {
    let edited = document
    for (let k = 0; k < 20; k += 1) edited = edits.connect?.(random, edited, null) ?? edited
    expect(resolve(edited, library).errors.filter(({ code }) => code === 'cycle')).toEqual([])
    const ids = [...edited.nodes.keys()]
    const [source, target] = [random.pick(ids), random.pick(ids)]
    const forced = new Map(edited.nodes).set(target, { op: 'add', in: ['image', source], params: new Map() })
    const { errors } = resolve({ ...edited, nodes: forced }, library)
    expect(errors.some(({ code }) => code === 'cycle')).toBe(wouldLoop(edited, null, { source, target }))
  }
})

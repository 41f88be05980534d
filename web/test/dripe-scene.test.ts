import type { Node } from '@neuroloom/contract/network/document'
import { readYaml } from '@neuroloom/contract/network/yaml'
import { describe, expect, it } from 'vitest'
import { fitsFrom } from '../src/features/networks/canvas/fitting.ts'
import { SceneMaker } from '../src/features/networks/canvas/scene.ts'
import { walk } from '../src/features/networks/canvas/walk.ts'
import { pinned } from '../src/features/networks/editor/arranging.ts'
import { canvasPath, parentOf, placeOf } from '../src/features/networks/editor/paths.ts'
import { makeScreen } from '../src/features/networks/editor/screen.ts'
import { Workbench } from '../src/features/networks/editor/workbench.ts'
import { makeEditor } from './dripe-panels-make.tsx'

const text = `dripe: 1
name: blocks
task: classification
inputs: {image: {kind: image, channels: 3, size: [32, 32]}}
blocks:
  pair:
    inputs: [x]
    nodes:
      first: {op: conv, in: x, out: 8}
      second: {op: double_conv, in: first, out: 8}
nodes:
  a: {op: pair, in: image, repeat: 2}
  left: {op: relu, in: a}
  right: {op: sigmoid, in: a}
  sum: {op: add, in: [left, right]}
  gap: {op: globalavg, in: sum}
  logits: {op: linear, in: gap, out: 2}
heads: {main: {task: classification, from: logits}}
`

/** Feature maps of a node. */
const map = { node: 'left', channels: 1, allChannels: 8, width: 1, height: 1, min: 0, max: 1, data: 'AA==' }

async function makeBench(open: string[] = []) {
  const store = await makeEditor({ text, layout: { v: 1, pos: {}, open } })
  return new Workbench(store, makeScreen())
}

describe('canvas paths', () => {
  it('leave out the copies that the plan counts', () => {
    expect(canvasPath('stage2/0/conv1')).toBe('stage2/conv1')
    expect(parentOf('stage2/conv1')).toBe('stage2')
    expect(parentOf('stem')).toBe('')
  })

  it('lead into blocks of the network, which can be edited, and of the library, which cannot', async () => {
    const { document, vocabulary } = (await makeBench()).store.getState()
    expect(placeOf(document, vocabulary, 'a/first')).toMatchObject({
      scope: 'pair',
      id: 'first',
      isReadOnly: false,
      planPath: 'a/0/first',
    })
    expect(placeOf(document, vocabulary, 'a/second/a')).toMatchObject({ isReadOnly: true })
    expect(placeOf(document, vocabulary, 'a/nothing')).toBeNull()
    expect(placeOf(document, vocabulary, '@image')).toBeNull()
  })
})

describe('the scene', () => {
  it('shows the graph of an opened block inside it, with its ports and its shapes', async () => {
    const { scene } = await makeBench(['a'])
    const inside = scene.items.filter(({ parent }) => parent === 'a').map(({ path }) => path)
    expect(inside).toEqual(['a/@x', 'a/first', 'a/second', 'a/outputs.out'])
    const wire = scene.wires.find(({ id }) => id === 'a/second|0')
    expect(wire).toMatchObject({ source: 'a/first', type: { k: 'map', c: 8, s: [32, 32] } })
    const frame = scene.byPath.get('a')
    for (const path of inside) {
      const item = scene.byPath.get(path)
      expect((item?.x ?? -1) + (item?.width ?? 0)).toBeLessThanOrEqual(frame?.width ?? 0)
      expect((item?.y ?? -1) + (item?.height ?? 0)).toBeLessThanOrEqual(frame?.height ?? 0)
    }
  })

  it('keeps every card and wire that an edit does not touch', async () => {
    const bench = await makeBench()
    const before = bench.scene
    bench.store.getState().edit((document) => {
      const nodes = new Map(document.nodes)
      const node = nodes.get('logits')
      if (node !== undefined) nodes.set('logits', { ...node, note: 'last' })
      return { ...document, nodes }
    })
    const changed = bench.scene.items.filter((item) => before.byPath.get(item.path) !== item)
    expect(changed.map(({ path }) => path)).toEqual(['logits'])
    expect(bench.scene.wires.every((wire) => before.wires.includes(wire))).toBe(true)
  })

  it('is after any edit what it would be if it were drawn for the first time', async () => {
    const bench = await makeBench(['a'])
    const { store } = bench
    const expectAnew = () => {
      const { document, vocabulary, layout, resolved, seen } = store.getState()
      const anew = new SceneMaker().make({ document, vocabulary, layout, types: resolved.types, seen })
      const { scene } = bench
      expect(scene).toEqual(anew)
      expect([...scene.byPath.values()].every((item) => scene.items.includes(item))).toBe(true)
    }
    const change = (id: string, to: Partial<Node> | null) =>
      store.getState().edit((document) => {
        const nodes = new Map(document.nodes)
        const node = nodes.get(id)
        if (to === null || node === undefined) nodes.delete(id)
        else nodes.set(id, { ...node, ...to })
        return { ...document, nodes }
      })
    const steps: (() => void)[] = [
      () => change('left', { op: 'conv', params: new Map([['out', 16]]) }),
      () => change('sum', { in: ['right', 'left'] }),
      () => change('a', { op: 'double_conv' }),
      () => store.getState().arrange((layout) => ({ ...layout, open: [] })),
      () => store.getState().arrange((layout) => pinned(layout, bench.scene, '')),
      () => change('right', null),
      () => store.getState().undo(),
      () => store.getState().arrange((layout) => ({ ...layout, pos: { ...layout.pos, sum: [900, 40] } })),
      () => store.getState().show({ seen: new Map([['left', map]]) }),
      () => store.getState().show({ seen: null }),
      () => store.getState().arrange((layout) => ({ ...layout, pos: {}, open: ['a', 'a/second'] })),
      () => store.getState().edit((document) => ({ ...document, heads: new Map() })),
    ]
    for (const step of steps) {
      step()
      expectAnew()
    }
  })

  it('keeps saved places and finds one for what has none', async () => {
    const bench = await makeBench()
    const { arrange } = bench.store.getState()
    arrange((layout) => {
      const { sum, ...pos } = pinned(layout, bench.scene, '').pos
      return { ...layout, pos: { ...pos, a: [500, 7] } }
    })
    const { byPath } = bench.scene
    expect(byPath.get('a')).toMatchObject({ x: 500, y: 7 })
    expect(byPath.get('sum')?.y).toBeGreaterThan(byPath.get('left')?.y ?? Number.POSITIVE_INFINITY)
  })
})

describe('the arrow keys', () => {
  it('follow the wires up and down, and go to a neighbour left and right', async () => {
    const { scene } = await makeBench()
    expect(walk(scene, '@image', 'down')).toBe('a')
    expect(walk(scene, 'sum', 'down')).toBe('gap')
    expect(walk(scene, 'sum', 'up')).toBe('left')
    expect([walk(scene, 'left', 'right'), walk(scene, 'right', 'left')]).toContain('left')
    expect(walk(scene, '@image', 'up')).toBeNull()
  })

  it('step into an opened block and out of it behind its output', async () => {
    const { scene } = await makeBench(['a'])
    expect(walk(scene, 'a', 'down')).toBe('a/@x')
    expect(walk(scene, 'a/@x', 'up')).toBe('a')
    expect(['left', 'right']).toContain(walk(scene, 'a/outputs.out', 'down'))
  })
})

describe('a connection', () => {
  it('fits where it makes no loop and the kind of data is right', async () => {
    const bench = await makeBench()
    const fits = fitsFrom(bench.scene, bench.store.getState(), { source: 'left', outlet: '' })
    expect(fits.has('sum|0')).toBe(true)
    expect(fits.has('sum|2')).toBe(true)
    expect(fits.has('a|0')).toBe(false)
    expect(fits.has('logits|0')).toBe(false)
    expect(fits.has('heads.main|0')).toBe(false)
  })
})

it('reads its own example', () => {
  expect(readYaml(text).problems).toEqual([])
})

import type { Node } from '@neuroloom/contract/network/document/document'
import { layoutSchema } from '@neuroloom/contract/network/layout/file'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import { describe, expect, it } from 'vitest'
import { shownSettings } from '../../src/features/networks/canvas/cards/main-numbers.ts'
import { fitsFrom } from '../../src/features/networks/canvas/fitting.ts'
import { freeCorner } from '../../src/features/networks/canvas/mini-map.tsx'
import { type Scene, SceneMaker } from '../../src/features/networks/canvas/scene.ts'
import { fitted } from '../../src/features/networks/canvas/use-view.ts'
import { walk } from '../../src/features/networks/canvas/walk.ts'
import { align, distribute, release } from '../../src/features/networks/editor/aligning.ts'
import { moved, pinned } from '../../src/features/networks/editor/arranging.ts'
import { layOut, turn } from '../../src/features/networks/editor/blocks.ts'
import { rename } from '../../src/features/networks/editor/commands.ts'
import {
  addComment,
  commentsOf,
  movedComments,
  writeComment,
} from '../../src/features/networks/editor/comments.ts'
import { insertAt, insertOn } from '../../src/features/networks/editor/inserting.ts'
import { run } from '../../src/features/networks/editor/keys.ts'
import { canvasPath, parentOf, placeOf } from '../../src/features/networks/editor/paths.ts'
import { makeScreen } from '../../src/features/networks/editor/screen.ts'
import { Workbench } from '../../src/features/networks/editor/workbench.ts'
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

const corner = (bench: Workbench, path: string): [number, number] => {
  const { x, y } = bench.scene.byPath.get(path) ?? { x: Number.NaN, y: Number.NaN }
  return [x, y]
}
const conv = { op: 'conv', title: 'Convolution', brings: null }

/** Pairs of things in one graph that lie over each other. */
function overlaps({ scene: { items } }: Workbench): string[] {
  return items.flatMap((a, k) =>
    items.slice(k + 1).flatMap((b) => {
      const isApart =
        a.parent !== b.parent ||
        a.x + a.width <= b.x ||
        b.x + b.width <= a.x ||
        a.y + a.height <= b.y ||
        b.y + b.height <= a.y
      return isApart ? [] : [`${a.path} ${b.path}`]
    }),
  )
}

describe('a new layer', () => {
  it('never lies over another one, wherever it is dropped', async () => {
    const bench = await makeBench()
    for (const { x, y } of bench.scene.items)
      insertAt(bench, conv, { parent: '', at: [x + 20, y + 10], from: null })
    expect(overlaps(bench)).toEqual([])
  })

  it('that splits a connection does not lie over what stands beside a long way', async () => {
    const bench = await makeBench()
    const [x, y] = corner(bench, 'gap')
    // High, and beginning above the end of the connection's source.
    bench.store
      .getState()
      .arrange((layout) => moved(layout, bench.scene, new Map([['right', [x + 40, y - 30]]])))
    const before = overlaps(bench)
    insertOn(bench, conv, 'gap|0')
    expect(overlaps(bench)).toEqual(before)
  })
})

describe('what was moved by hand', () => {
  it('stays where it is when everything is laid out neatly, until it is let go', async () => {
    const bench = await makeBench()
    const before = bench.scene
    const { arrange, select } = bench.store.getState()
    arrange((layout) => moved(layout, bench.scene, new Map([['left', [-640, 320]]])))
    arrange((layout) => ({ ...layout, pos: { ...layout.pos, gap: [1200, 0] } }))
    layOut(bench)
    expect(corner(bench, 'left')).toEqual([-640, 320])
    expect(corner(bench, 'gap')[0]).toBeLessThan(1000)
    expect(overlaps(bench)).toEqual([])
    select(['left'])
    release(bench)
    select([])
    layOut(bench)
    expect(bench.scene.items.map(({ x, y }) => [x, y])).toEqual(before.items.map(({ x, y }) => [x, y]))
    bench.store.getState().undo()
    bench.store.getState().undo()
    expect(corner(bench, 'left')).toEqual([-640, 320])
  })

  it('keeps that under another name', async () => {
    const bench = await makeBench()
    bench.store.getState().arrange((layout) => moved(layout, bench.scene, new Map([['left', [0, 0]]])))
    bench.store.getState().select(['left'])
    rename(bench, 'other')
    expect(bench.store.getState().layout.held).toEqual(['other'])
  })

  it.each([
    ['left', { left: [0, 0], right: [0, 100], sum: [0, 260] }],
    ['right', { left: [300, 0], right: [300, 100], sum: [300, 260] }],
    ['top', { left: [0, 0], right: [300, 0], sum: [80, 0] }],
    ['middle', { left: [0, 130], right: [300, 130], sum: [80, 130] }],
  ] as const)('is aligned: %s', async (to, expected) => {
    const bench = await makeBench()
    place(bench, { left: [0, 0], right: [300, 100], sum: [80, 260] })
    align(bench, to)
    expect(Object.fromEntries(['left', 'right', 'sum'].map((path) => [path, corner(bench, path)]))).toEqual(
      expected,
    )
  })

  it('is distributed with the same room between neighbours, the outermost staying', async () => {
    const bench = await makeBench()
    place(bench, { left: [0, 0], right: [300, 100], sum: [80, 400] })
    distribute(bench, 'down')
    expect(['left', 'right', 'sum'].map((path) => corner(bench, path)[1])).toEqual([0, 200, 400])
  })

  const place = (bench: Workbench, places: Record<string, [number, number]>) => {
    bench.store.getState().arrange((layout) => moved(layout, bench.scene, new Map(Object.entries(places))))
    bench.store.getState().select(Object.keys(places))
  }
})

describe('comments on the canvas', () => {
  it('are kept beside the network, moved, written anew and taken away, each one step of undo', async () => {
    const bench = await makeBench()
    const state = bench.store.getState
    const before = state().document
    const said = () => commentsOf(state().layout).map(({ text }) => text)
    addComment(bench, [10, 20])
    writeComment(bench, '#1', ' First try ')
    addComment(bench, [400, 20])
    writeComment(bench, '#2', '   ')
    expect(said()).toEqual(['First try'])
    state().arrange((layout) => movedComments(layout, new Map([['#1', [64, 64]]])))
    expect(commentsOf(state().layout)).toEqual([{ id: '#1', at: [64, 64], text: 'First try' }])
    expect(layoutSchema.parse(state().layout)).toEqual(state().layout)
    state().select(['#1'])
    run(bench, 'remove')
    expect(said()).toEqual([])
    state().undo()
    expect(said()).toEqual(['First try'])
    expect(state().document).toBe(before)
  })
})

describe('from left to right', () => {
  const makeWide = async () => {
    const bench = await makeBench()
    bench.direction = 'right'
    return bench
  }

  it('every layer stands to the right of what it reads, and nothing lies over another thing', async () => {
    const bench = await makeWide()
    expect(bench.scene.direction).toBe('right')
    for (const { source, target } of bench.scene.wires) {
      const [from, to] = [bench.scene.byPath.get(source), bench.scene.byPath.get(target)]
      expect((to?.x ?? 0) - (from?.x ?? 0) - (from?.width ?? 0)).toBeGreaterThan(0)
    }
    expect(overlaps(bench)).toEqual([])
  })

  it('the arrows go along the wires there, too', async () => {
    const { scene } = await makeWide()
    expect(walk(scene, '@image', 'right')).toBe('a')
    expect(walk(scene, 'a', 'left')).toBe('@image')
    expect([walk(scene, 'left', 'down'), walk(scene, 'left', 'up')]).toContain('right')
  })

  it('what comes between pushes the rest to the right', async () => {
    const bench = await makeWide()
    bench.store
      .getState()
      .arrange((layout) => moved(layout, bench.scene, new Map([['sum', corner(bench, 'sum')]])))
    const before = corner(bench, 'logits')
    insertOn(bench, conv, 'gap|0')
    expect(corner(bench, 'logits')[0]).toBeGreaterThan(before[0])
    expect(corner(bench, 'logits')[1]).toBe(before[1])
    expect(overlaps(bench)).toEqual([])
  })

  it('stays once something was moved, whatever the canvas is like then', async () => {
    const bench = await makeWide()
    bench.store.getState().arrange((layout) => moved(layout, bench.scene, new Map([['sum', [0, 900]]])))
    bench.direction = 'down'
    expect(bench.scene.direction).toBe('right')
    turn(bench)
    expect(bench.scene.direction).toBe('down')
    bench.store.getState().undo()
    expect([bench.scene.direction, corner(bench, 'sum')]).toEqual(['right', [0, 900]])
  })

  it('older drawings that somebody arranged go down', async () => {
    const store = await makeEditor({ text, layout: { v: 1, pos: { a: [0, 0] }, open: [] } })
    const bench = new Workbench(store, makeScreen())
    bench.direction = 'right'
    expect(bench.scene.direction).toBe('down')
  })
})

describe('the map', () => {
  const seen = { width: 1000, height: 700 }
  const at = (scene: Scene, transform: [number, number, number]) => freeCorner(scene, { transform, ...seen })
  it('stands where no card is, and is gone where it is not needed or would cover one', async () => {
    const bench = await makeBench()
    const all = fitted(bench.scene, seen)
    expect(at(bench.scene, [all.x, all.y, all.zoom])).toBeNull()
    expect(at(bench.scene, [100, 50, 1])).toBe('lowerRight')
    const corners: [number, number][] = [
      [900, 600],
      [900, 20],
      [20, 20],
      [400, 3000],
    ]
    const paths = ['left', 'right', 'sum', 'gap']
    const places = new Map(paths.map((path, k): [string, [number, number]] => [path, corners[k] ?? [0, 0]]))
    for (const path of ['@image', 'a', 'logits', 'heads.main']) places.set(path, [5000, 5000])
    bench.store.getState().arrange((layout) => moved(layout, bench.scene, places))
    expect(at(bench.scene, [0, 0, 1])).toBeNull()
    expect(at(bench.scene, [0, -600, 1])).toBe('lowerRight')
    const comment = { id: '#1', at: [900, 1200] as [number, number], text: 'Why so wide?' }
    const below = { transform: [0, -600, 1] as const, ...seen }
    expect(freeCorner(bench.scene, below, [comment])).not.toBe('lowerRight')
    expect(freeCorner(bench.scene, below, [{ ...comment, at: [900, 5000] }])).toBe('lowerRight')
  })
})

describe('a card', () => {
  it('tells the numbers that decide, also those that nobody set', async () => {
    const { vocabulary } = (await makeBench()).store.getState()
    const shown = (node: Node) =>
      Object.fromEntries(shownSettings(node, vocabulary.std.get(node.op) ?? null, vocabulary))
    expect(shown({ op: 'conv', params: new Map() })).toEqual({ out: 64, kernel: 3 })
    expect(shown({ op: 'conv', params: new Map([['stride', 2]]) })).toEqual({ out: 64, kernel: 3, stride: 2 })
    expect(shown({ op: 'dropout', params: new Map() })).toEqual({ p: 0.5 })
    expect(shown({ op: 'gn', params: new Map() })).toEqual({ groups: 8 })
    expect(shown({ op: 'relu', params: new Map() })).toEqual({})
    expect(shown({ op: 'double_conv', params: new Map() })).toEqual({ out: 64 })
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

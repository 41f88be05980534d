import type { Graph } from '@neuroloom/contract/network/layout/cycles'
import { placeGraph, routeKey } from '@neuroloom/contract/network/layout/layout'
import { describe, expect, test } from 'vitest'
import { foldedGraph } from './folded.ts'
import { makeRandom } from './random.ts'
import { builtIn, exampleIds } from './wire.ts'

const layoutGraph = (graph: Graph) => placeGraph(graph).places

const size = { width: 180, height: 56 }
const chain = (ids: string): Graph['nodes'] => [...ids].map((id) => ({ id, ...size }))
const edges = (text: string): Graph['edges'] =>
  text.split(' ').map((pair) => ({ from: pair[0] ?? '', to: pair[1] ?? '' }))

/** Every place once, no two nodes over each other, and every edge downwards unless the graph has circles. */
function check(graph: Graph, { hasCircles = false } = {}): void {
  const places = layoutGraph(graph)
  expect([...places.keys()].sort()).toEqual(graph.nodes.map(({ id }) => id).sort())
  const boxes = graph.nodes.map(({ id, width, height }) => {
    const [x, y] = places.get(id) ?? [Number.NaN, Number.NaN]
    return { id, x, y, right: x + width, bottom: y + height }
  })
  expect(boxes.filter(({ x, y }) => !(x >= 0 && y >= 0))).toEqual([])
  const sorted = [...boxes].sort((a, b) => a.y - b.y)
  for (const [k, box] of sorted.entries()) {
    for (let n = k + 1; n < sorted.length; n++) {
      const other = sorted[n]
      if (other === undefined || other.y >= box.bottom) break
      if (other.x < box.right && box.x < other.right) throw new Error(`${box.id} lies over ${other.id}`)
    }
  }
  if (hasCircles) return
  const top = new Map(boxes.map((box) => [box.id, box]))
  const upwards = graph.edges.filter(({ from, to }) => {
    return (top.get(from)?.bottom ?? 0) > (top.get(to)?.y ?? Number.POSITIVE_INFINITY)
  })
  expect(upwards).toEqual([])
}

function randomGraph(seed: number, count: number): Graph {
  const random = makeRandom(seed)
  const nodes = Array.from({ length: count }, (_, k) => ({
    id: `n${k}`,
    width: 80 + random.below(160),
    height: 30 + random.below(60),
  }))
  const made = nodes.flatMap((_, k) => {
    if (k === 0) return []
    const before = Math.max(0, k - 1 - random.below(4))
    const long = random.below(k)
    return [before, ...(random.chance(0.3) ? [long] : [])].map((from) => ({ from: `n${from}`, to: `n${k}` }))
  })
  return { nodes, edges: made }
}

describe('the layout', () => {
  test('lets a chain stand straight, with skip connections beside it', () => {
    const graph = { nodes: chain('abcdef'), edges: edges('ab bc cd de ef ae bd af') }
    check(graph)
    const { places, routes } = placeGraph(graph)
    expect(new Set([...places.values()].map(([x]) => x)).size).toBe(1)
    const left = places.get('a')?.[0] ?? 0
    const lanes = [...(routes.get(routeKey('a', 'f')) ?? []), ...(routes.get(routeKey('b', 'd')) ?? [])]
    expect(lanes.length).toBe(2 + 2)
    expect(lanes.filter(([x]) => x > left && x < left + size.width)).toEqual([])
  })

  test('lets lines bend between rows alone, also beside a card that is far higher', () => {
    const high = { id: 'h', width: 300, height: 500 }
    const { places, routes } = placeGraph({
      nodes: [...chain('abcd'), high],
      edges: edges('ab ah bc hc ad cd'),
    })
    const [top, bottom] = [places.get('h')?.[1] ?? 0, (places.get('h')?.[1] ?? 0) + 500]
    const inside = (y: number) => y > top && y < bottom
    expect([...routes.values()].flat().filter(([, y]) => inside(y))).toEqual([])
    const around = routes.get(routeKey('b', 'c')) ?? []
    expect(around).toEqual([[(places.get('b')?.[0] ?? 0) + size.width / 2, bottom]])
    expect((routes.get(routeKey('a', 'd')) ?? []).map(([, y]) => y)).toEqual([
      top,
      (places.get('c')?.[1] ?? 0) + size.height,
    ])
  })

  test('puts branches beside each other and their join below the middle', () => {
    const places = layoutGraph({ nodes: chain('abcd'), edges: edges('ab ac ad bd cd') })
    const [b, c] = [places.get('b'), places.get('c')]
    expect(b?.[1]).toBe(c?.[1])
    expect(Math.abs((b?.[0] ?? 0) - (c?.[0] ?? 0))).toBeGreaterThanOrEqual(size.width)
  })

  test('puts an input right above its first reader', () => {
    const places = layoutGraph({ nodes: chain('abcdx'), edges: edges('ab bc cd xd') })
    expect(places.get('x')?.[1]).toBe(places.get('c')?.[1])
  })

  test('puts parts that are not connected beside each other', () => {
    const graph = { nodes: chain('abcxyz'), edges: edges('ab bc xy') }
    check(graph)
    const places = layoutGraph(graph)
    expect(places.get('x')?.[1]).toBe(0)
    expect(places.get('x')?.[0]).toBeGreaterThan(size.width)
  })

  test('survives circles, loops, doubles and edges to nowhere', () => {
    const graph = { nodes: chain('abcd'), edges: edges('ab bc ca cc ab cd dq qa') }
    check(graph, { hasCircles: true })
    const places = layoutGraph(graph)
    const tops = [...'abcd'].map((id) => places.get(id)?.[1] ?? 0)
    expect(tops).toEqual([...tops].sort((a, b) => a - b))
  })

  test('of nothing is nothing', () => {
    expect(placeGraph({ nodes: [], edges: [] })).toMatchObject({ width: 0, height: 0 })
  })

  test.each(exampleIds)('of %s has nothing over anything', (id) => check(foldedGraph(builtIn(id))))

  test.each(Array.from({ length: 60 }, (_, k) => k + 1))(
    'of random graph %i has nothing over anything',
    (seed) => check(randomGraph(seed, seed)),
  )

  test('is the same for the same graph', () => {
    const graph = randomGraph(7, 200)
    expect(layoutGraph(graph)).toEqual(layoutGraph(graph))
  })

  test.each([
    ['with skips', randomGraph(1, 1000)],
    [
      'in one chain',
      {
        ...randomGraph(2, 1000),
        edges: randomGraph(2, 1000)
          .nodes.slice(1)
          .map(({ id }, k) => ({ from: `n${k}`, to: id })),
      },
    ],
    ['without edges', { ...randomGraph(3, 1000), edges: [] }],
    [
      'in one fan',
      {
        ...randomGraph(4, 1000),
        edges: randomGraph(4, 1000)
          .nodes.slice(1)
          .map(({ id }) => ({ from: 'n0', to: id })),
      },
    ],
  ])('of a thousand nodes %s takes no time', (_, graph) => {
    check(graph)
    const times = [1, 2, 3].map(() => {
      // habit: the quickest of three, against ten times what a core of its own takes
      const started = performance.now()
      layoutGraph(graph)
      // habit: the quickest of three, against ten times what a core of its own takes
      return performance.now() - started
    })
    // 30 to 45 ms on a core of its own; a shared machine may be ten times slower.
    expect(Math.min(...times)).toBeLessThan(500)
  })
})

import type { Three } from '@neuroloom/contract/flow/slice'
import { expect, it } from 'vitest'
import { boxOf, lettersOf } from '../../src/features/flow/space/draw/box.ts'
import {
  cameraOf,
  clipMatrix,
  dot,
  halfOf,
  moved,
  seen,
  turned,
  views,
  wholeLook,
  zoomedAt,
} from '../../src/features/flow/space/draw/camera.ts'
import { drawFlat } from '../../src/features/flow/space/draw/overlay.ts'
import { countOf, lineAt, packed, STRIDE } from '../../src/features/flow/space/numbers/pack.ts'
import { makeHead } from '../flow-view/make-study.ts'

const image = { x: 0, y: 0, width: 800, height: 500 }
/** Columns to the left of the patient, rows to the back, slices to the head. */
const head = makeHead({ size: [40, 30, 20] })
const angles = [views.front, views.side, views.top, { turn: 37, tilt: -20 }, { turn: -120, tilt: 65 }]

it.each(angles)('looks straight on from any side, right-handed: %o', (at) => {
  const { right, down, away } = cameraOf(head, wholeLook(head, at, image), image)
  for (const [one, other] of [
    [right, down],
    [down, away],
    [away, right],
  ] as const) {
    expect(dot(one, other)).toBeCloseTo(0, 12)
    expect(dot(one, one)).toBeCloseTo(1, 12)
  }
  const [a, b, c] = right
  const [x, y, z] = down
  const cross: Three = [b * z - c * y, c * x - a * z, a * y - b * x]
  expect(dot(cross, away)).toBeCloseTo(1, 12)
})

const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((bits): Three => {
  const [x, y, z] = halfOf(head)
  return [bits & 1 ? x : -x, bits & 2 ? y : -y, bits & 4 ? z : -z]
})

it.each(angles)(
  'shows all of the volume as large as it fits, and the matrix says the same as the pixels: %o',
  (at) => {
    const camera = cameraOf(head, wholeLook(head, at, image), image)
    const matrix = clipMatrix(camera)
    const places = corners.map((corner) => {
      const [x, y, depth] = seen(camera, corner)
      const clip = [0, 1, 2, 3].map((row) =>
        [...corner, 1].reduce((sum, part, column) => sum + part * (matrix[4 * column + row] ?? 0), 0),
      )
      expect(((clip[0] ?? 0) + 1) * 400).toBeCloseTo(x, 3)
      expect((1 - (clip[1] ?? 0)) * 250).toBeCloseTo(y, 3)
      expect(Math.abs(clip[2] ?? 9)).toBeLessThan(1)
      expect(Math.sign(clip[2] ?? 0)).toBe(Math.sign(depth))
      expect(clip[3]).toBe(1)
      return { x, y }
    })
    const [left, right] = [Math.min(...places.map(({ x }) => x)), Math.max(...places.map(({ x }) => x))]
    const [top, low] = [Math.min(...places.map(({ y }) => y)), Math.max(...places.map(({ y }) => y))]
    expect(Math.min(left, top, 800 - right, 500 - low)).toBeCloseTo(30, 3)
  },
)

it('has the letters of the patient beyond the sides that they name, and none of the sides seen straight on', () => {
  const front = lettersOf(head, cameraOf(head, wholeLook(head, views.front, image), image))
  expect(front.map(({ text }) => text).sort()).toEqual(['F', 'H', 'L', 'R'])
  const at = (text: string) => front.find((letter) => letter.text === text)
  expect(at('L')?.x).toBeGreaterThan(at('R')?.x ?? 800)
  expect(at('H')?.y).toBeLessThan(at('F')?.y ?? 0)
  const top = lettersOf(head, cameraOf(head, wholeLook(head, views.top, image), image))
  expect(top.map(({ text }) => text).sort()).toEqual(['A', 'L', 'P', 'R'])
  const plain = makeHead({ size: [40, 30, 20], head: { isPlaced: false } })
  const axes = lettersOf(plain, cameraOf(plain, wholeLook(plain, { turn: 45, tilt: 30 }, image), image))
  expect(axes.map(({ text }) => text).sort()).toEqual(['+x', '+y', '+z', '−x', '−y', '−z'])
})

it('turns around without end but never over the head, and keeps what lies under the pointer', () => {
  const look = wholeLook(head, { turn: 170, tilt: 80 }, image)
  expect(turned(look, { turn: 20, tilt: 20 }).angles).toEqual({ turn: -170, tilt: 90 })
  const place: Three = [0.01, -0.02, 0.005]
  const [x, y] = seen(cameraOf(head, look, image), place)
  const near = zoomedAt(look, cameraOf(head, look, image), 3, { x, y })
  expect(near.zoom).toBeCloseTo(3 * look.zoom)
  const [nearX, nearY] = seen(cameraOf(head, near, image), place)
  expect([nearX - x, nearY - y].every((by) => Math.abs(by) < 1e-9)).toBe(true)
  const [movedX, movedY] = seen(
    cameraOf(head, moved(near, cameraOf(head, near, image), { x: 7, y: -4 }), image),
    place,
  )
  expect([movedX - x, movedY - y].map((by) => Math.round(1000 * by) / 1000)).toEqual([7, -4])
})

it('packs lines between blanks that lie beyond their ends, without points of the same place', () => {
  const grid = { size: [3, 3, 3], spacing: [0.002, 0.002, 0.002] } as const
  const lines = packed(
    [
      { points: [1, 1, 1, 2, 1, 1, 2, 1, 1, 2, 2, 1], speeds: [0.1, 0.2, 0.2, 0.3], times: null },
      { points: [0, 0, 0, 0, 0, 0], speeds: [1, 1], times: null },
      { points: [0, 0, 0, 0, 0, 2], speeds: [0, 0.5], times: [4, 5] },
    ],
    grid,
  )
  expect(countOf(lines)).toBe(2)
  expect([0, 1].map((index) => lineAt(lines, index))).toEqual([
    { from: 2, to: 5 },
    { from: 7, to: 9 },
  ])
  const point = (at: number) => [...lines.points.subarray(STRIDE * at, STRIDE * (at + 1))]
  const speeds = Array.from({ length: lines.points.length / STRIDE }, (_, at) => point(at)[3] ?? 0)
  expect(speeds.map((speed) => Math.round(10 * speed) / 10)).toEqual([
    -1, -1, 0.1, 0.2, 0.3, -1, -1, 0, 0.5, -1, -1,
  ])
  // One step before the first point, along the line; the middle of the grid is 0.
  expect(point(1)[0]).toBeCloseTo(-0.002)
  expect(point(2).slice(0, 3)).toEqual([0, 0, 0])
  expect(point(9)[2]).toBeCloseTo(0.006, 6)
  expect([...lines.times]).toEqual([0, 0, 0, 0, 0, 0, 4, 4, 5, 5, 0])
})

it('draws lines flat with the farthest first, in the colour of their speed, up to the moment that is seen', () => {
  const strokes: { colour: string; places: number[][] }[] = []
  const settings: Record<string, unknown> = {}
  const known = {
    beginPath: () => strokes.push({ colour: String(settings.strokeStyle), places: [] }),
    moveTo: (...place: number[]) => strokes.at(-1)?.places.push(place),
    lineTo: (...place: number[]) => strokes.at(-1)?.places.push(place),
  }
  const ctx = new Proxy(settings, {
    get: (own, name) => Reflect.get(known, name) ?? Reflect.get(own, name) ?? (() => {}),
  })
  const grid = { size: head.size, spacing: [0.002, 0.002, 0.002] } as const
  const line = (row: number, speed: number, time: number) => ({
    ...{ points: [10, row, 10, 14, row, 10], speeds: [speed, speed], times: [time, time + 1] },
  })
  const camera = cameraOf(head, wholeLook(head, views.front, image), image)
  // The front is where rows begin: the second line lies nearer.
  const lines = packed([line(20, 0, 0), line(5, 1, 0), line(10, 1, 3)], grid)
  const flat = { camera, lines, lineWidth: 2, reference: 1, particles: null }
  // What lines are drawn with; the rest of a canvas does nothing.
  drawFlat(ctx as unknown as CanvasRenderingContext2D, {
    ...flat,
    box: packed([], grid),
    moment: { now: 2, tail: 5 },
  })
  const drawn = strokes.filter(({ places }) => places.length > 0)
  expect(drawn.map(({ colour }) => colour)).toEqual(['rgb(68 1 84)', 'rgb(253 231 37)'])
  const [[from = [], to = []] = []] = drawn.map(({ places }) => places)
  expect((to[0] ?? 0) - (from[0] ?? 0)).toBeCloseTo(4 * 0.002 * camera.scale)
})

it('has twelve edges around the outermost voxels', () => {
  const box = boxOf(head)
  expect(countOf(box)).toBe(12)
  const ends = Array.from({ length: 12 }, (_, index) => {
    const { from, to } = lineAt(box, index)
    return [from, to - 1].map((at) => [...box.points.subarray(STRIDE * at, STRIDE * at + 3)])
  }).flat()
  for (const end of ends)
    for (const [axis, half] of halfOf(head).entries()) expect(Math.abs(end[axis] ?? 0)).toBeCloseTo(half, 6)
})

import { describe, expect, it } from 'vitest'
import { jobs } from '../../src/features/labelling/assist/jobs.ts'
import { borders, pieceOf, piecesOf } from '../../src/features/labelling/assist/pieces.ts'
import { makeWiring } from '../../src/features/labelling/assist/wiring.ts'
import { simplified } from '../../src/features/labelling/canvas/shapes.ts'
import { makeDesk, PIECES, sizeOf, stepSize } from '../../src/features/labelling/tools/desk.ts'
import { wireFormsOf } from '../../src/features/labelling/tools/tools.ts'
import { drawn, rowsOf } from './drawn.ts'

/** A bright disc on dark ground, as colours. */
function disc(side: number, radius: number) {
  const values = new Uint8ClampedArray(4 * side * side)
  for (let at = 0; at < side * side; at++) {
    const isIn = Math.hypot((at % side) - side / 2, Math.floor(at / side) - side / 2) < radius
    values.set([isIn ? 200 : 40, isIn ? 180 : 40, 60, 255], 4 * at)
  }
  return { width: side, height: side, values }
}

describe('the wire beside the page', () => {
  it('goes on with the picture and the anchor of the call before', () => {
    const wiring = makeWiring()
    const anchor = { x: 15, y: 40 }
    const first = wiring({ plane: disc(80, 25), anchor, pointer: { x: 40, y: 15 } }).values
    expect([...first.slice(0, 2), ...first.slice(-2)]).toEqual([15, 40, 40, 15])
    const again = wiring({ plane: null, anchor, pointer: { x: 40, y: 15 } }).values
    expect(again).toEqual(first)
    const back = wiring({ plane: null, anchor: { x: 40, y: 15 }, pointer: anchor }).values
    for (let at = 0; at < back.length; at += 2)
      expect(Math.abs(Math.hypot((back[at] ?? 0) - 40, (back[at + 1] ?? 0) - 40) - 25)).toBeLessThan(2)
  })

  it('says so where there is no picture yet', () => {
    expect(() => makeWiring()({ plane: null, anchor: { x: 0, y: 0 }, pointer: { x: 1, y: 1 } })).toThrow()
  })
})

describe('a path of neighbouring pixels', () => {
  it('keeps its ends and corners alone', () => {
    const along = Array.from({ length: 20 }, (_, x) => ({ x, y: 0 }))
    const down = Array.from({ length: 10 }, (_, y) => ({ x: 19, y: y + 1 }))
    expect(simplified([...along, ...down], 0.75)).toEqual([
      { x: 0, y: 0 },
      { x: 19, y: 0 },
      { x: 19, y: 10 },
    ])
  })

  it('keeps what turns back to where it began', () => {
    const ring = [
      { x: 0, y: 0 },
      { x: 10, y: 0 },
      { x: 10, y: 10 },
      { x: 0, y: 0 },
    ]
    expect(simplified(ring, 0.75)).toEqual(ring)
    expect(simplified([{ x: 1, y: 2 }], 0.75)).toEqual([{ x: 1, y: 2 }])
    expect(simplified([], 0.75)).toEqual([])
  })
})

describe('pieces', () => {
  const plane = drawn('..11', '.111', '2211')
  const pieces = piecesOf({ ...plane, values: Uint32Array.from(plane.values) })

  it('are known by where they lie, and cut out one by one', () => {
    const { left, top, ...mask } = pieceOf(pieces, 1)
    expect([left, top, ...rowsOf(mask)]).toEqual([1, 0, '.11', '111', '.11'])
  })

  it('have borders one screen pixel wide', () => {
    const at = Int32Array.from([0, 0, 1, 1, 2, 2, 3, 3])
    const out = new Uint32Array(at.length * 2)
    borders(pieces, { columnAt: at, rowAt: Int32Array.from([0, 0]), colour: 7 }, out)
    expect([...out.slice(0, 8)]).toEqual([0, 0, 0, 7, 0, 0, 0, 0])
  })

  it('have none beside the picture', () => {
    const out = new Uint32Array(6)
    const beside = Int32Array.from([-1, -1, -1])
    borders(pieces, { columnAt: beside, rowAt: Int32Array.from([0, 1]), colour: 7 }, out)
    expect([...out]).toEqual([0, 0, 0, 0, 0, 0])
  })
})

describe('growing', () => {
  it('from seeds of a single class stops where the picture changes', () => {
    const plane = disc(60, 18)
    const seeds = new Uint16Array(60 * 60)
    for (let x = 26; x < 34; x++) seeds[30 * 60 + x] = 5
    const { values } = jobs.grow({ plane, seeds })
    const wrong = [...values].filter((value, at) => {
      const isIn = Math.hypot((at % 60) - 30, Math.floor(at / 60) - 30) < 18
      return (value === 5) !== isIn
    })
    expect(wrong).toEqual([])
  })
})

describe('sizes', () => {
  it('of the pieces change where these are at work, within their bounds', () => {
    const desk = makeDesk({ tool: 'superpixels', pieceSize: PIECES.least })
    stepSize(desk, -1)
    expect(desk.getState().pieceSize).toBe(PIECES.least)
    stepSize(desk, 1)
    expect(desk.getState().pieceSize).toBe(PIECES.least + 1)
    const brush = sizeOf(desk.getState())
    desk.setState({ tool: 'brush' })
    stepSize(desk, 1)
    expect(sizeOf(desk.getState())).toBeGreaterThan(brush)
  })
})

it.each([
  [
    ['outlines', 'pixels'],
    ['outline', 'pixels'],
  ],
  [['lines'], ['line']],
  [['boxes', 'tags'], []],
] as const)('a set with %s has wires that become %s', (marks, forms) => {
  expect(wireFormsOf(marks)).toEqual(forms)
})

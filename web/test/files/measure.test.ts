/** Lengths, angles, areas and values on pixels that are not square, against what they are by hand. */
import { describe, expect, it } from 'vitest'
import {
  angleAt,
  angleBetween,
  ellipseArea,
  insideEllipse,
  insidePolygon,
  isCrossed,
  lengthOf,
  type Point,
  polygonArea,
  profileAlong,
  resolutionOf,
  simplified,
  valuesInside,
} from '../../src/features/files/viewer/measure/geometry.ts'
import { type Mark, marksAfter, noMarks } from '../../src/features/files/viewer/measure/marks.ts'
import { csvOf } from '../../src/features/files/viewer/measure/marks-csv.ts'
import { type Grid, measure } from '../../src/features/files/viewer/measure/measured.ts'

/** Columns 0.5 mm apart, rows 2 mm. */
const flat: Point = [0.5, 2]

describe('a length', () => {
  it.each<[Point, Point, Point, number]>([
    [[0, 0], [3, 4], [1, 1], 5],
    [[0, 0], [6, 2], flat, 5],
    [[4, 4], [4, 4], flat, 0],
  ])('from %j to %j with steps %j is %d', (from, to, steps, length) => {
    expect(lengthOf(from, to, steps)).toBeCloseTo(length, 12)
  })

  it.each<[Point, Point, number]>([
    [[0, 0], [10, 0], 0.5],
    [[0, 0], [0, 10], 2],
    [[1, 1], [1, 1], 2],
  ])('from %j to %j is known to one pixel that way: %d', (from, to, one) => {
    expect(resolutionOf(from, to, flat)).toBeCloseTo(one, 12)
  })
})

describe('an angle', () => {
  it.each<[[Point, Point, Point], Point, number]>([
    [
      [
        [1, 0],
        [0, 0],
        [0, 1],
      ],
      [1, 1],
      90,
    ],
    [
      [
        [1, 0],
        [0, 0],
        [1, 1],
      ],
      [1, 1],
      45,
    ],
    // A diagonal of such pixels is steep.
    [
      [
        [1, 0],
        [0, 0],
        [1, 1],
      ],
      flat,
      75.9638,
    ],
    [
      [
        [1, 0],
        [0, 0],
        [-1, 0],
      ],
      flat,
      180,
    ],
    [
      [
        [1, 0],
        [0, 0],
        [-1, -1],
      ],
      [1, 1],
      135,
    ],
  ])('at the middle of %j with steps %j is %d°', (points, steps, degrees) => {
    expect(angleAt(points, steps)).toBeCloseTo(degrees, 3)
  })

  it('between two lines does not depend on which way they were drawn', () => {
    const [a, b, c, d]: Point[] = [
      [0, 0],
      [10, 0],
      [0, 5],
      [10, 8],
    ]
    if (!a || !b || !c || !d) throw new Error('no lines')
    const expected = (Math.atan2(6, 5) * 180) / Math.PI
    for (const lines of [[a, b, c, d] as const, [b, a, c, d] as const, [a, b, d, c] as const])
      expect(angleBetween(lines, flat)).toBeCloseTo(expected, 10)
  })
})

const square: Point[] = [
  [0, 0],
  [4, 0],
  [4, 3],
  [0, 3],
]

describe('an area', () => {
  it('of a polygon counts each pixel by its own size', () => {
    expect(polygonArea(square, [1, 1])).toBe(12)
    expect(polygonArea(square, flat)).toBe(12)
    expect(polygonArea(square, [0.5, 0.5])).toBe(3)
    expect(polygonArea([...square].reverse(), flat)).toBe(12)
  })

  it('of an ellipse is that between its corners', () => {
    const corners: [Point, Point] = [
      [8, 6],
      [0, 0],
    ]
    expect(ellipseArea(corners, flat)).toBeCloseTo(Math.PI * 4 * 0.5 * 3 * 2, 10)
  })

  it('is not believed where the outline crosses itself', () => {
    expect(isCrossed(square)).toBe(false)
    expect(
      isCrossed([
        [0, 0],
        [4, 3],
        [4, 0],
        [0, 3],
      ]),
    ).toBe(true)
  })
})

/** Value = column + 10 × row; one place has none. */
const grid = (hole: Point | null = null): Grid => ({
  size: [6, 5],
  stepsAt: () => flat,
  valueAt: (x, y) => (hole?.[0] === x && hole[1] === y ? null : x + 10 * y),
})

describe('values inside', () => {
  it('are those of pixels whose middle lies inside', () => {
    const { size, valueAt } = grid()
    const values = valuesInside(insidePolygon(square), { size, valueAt })
    expect(values).toMatchObject({ count: 12, min: 0, max: 23 })
    expect(values?.mean).toBeCloseTo(11.5, 12)
    // Of 0…3, 10…13, 20…23, as a sample.
    expect(values?.deviation).toBeCloseTo(Math.sqrt(815 / 11), 10)
    const round = valuesInside(
      insideEllipse([
        [0, 0],
        [3, 3],
      ]),
      { size, valueAt },
    )
    expect(round).toMatchObject({ count: 9, min: 0, max: 22 })
  })

  it('leave out what has none, and what lies beyond the picture', () => {
    const { size, valueAt } = grid([0, 0])
    const beyond: Point[] = [
      [-5, -5],
      [2, -5],
      [2, 1],
      [-5, 1],
    ]
    expect(valuesInside(insidePolygon(beyond), { size, valueAt })).toMatchObject({
      count: 1,
      mean: 1,
      deviation: 0,
    })
    expect(
      valuesInside(
        insidePolygon([
          [9, 9],
          [12, 9],
          [12, 12],
        ]),
        { size, valueAt },
      ),
    ).toBeNull()
  })
})

describe('a profile', () => {
  it('is read between the four neighbours, and told in millimetres', () => {
    const { size, valueAt } = grid()
    const { at, values } = profileAlong(
      [
        [0.5, 0.5],
        [4.5, 2.5],
      ],
      { size, steps: flat, valueAt },
    )
    expect(at[0]).toBe(0)
    expect(at.at(-1)).toBeCloseTo(Math.hypot(2, 4), 12)
    expect(values[0]).toBe(0)
    expect(values.at(-1)).toBeCloseTo(24, 10)
    // Values rise evenly, so between neighbours they do too.
    for (const [index, value] of values.entries())
      expect(value).toBeCloseTo((24 * index) / (values.length - 1), 10)
  })

  it('has gaps where the picture has no value or ends', () => {
    const { size, valueAt } = grid([2, 0])
    const { values } = profileAlong(
      [
        [-1, 0.5],
        [5.5, 0.5],
      ],
      { size, steps: flat, valueAt },
    )
    expect(values[0]).toBeNull()
    expect(values).toContain(null)
    expect(values.at(-1)).toBe(5)
  })
})

it('a line drawn by hand keeps its shape with fewer points', () => {
  const drawn = Array.from({ length: 400 }, (_, index): Point => {
    const angle = (index / 400) * 2 * Math.PI
    return [50 + 40 * Math.cos(angle), 50 + 40 * Math.sin(angle)]
  })
  const simple = simplified(drawn, 48)
  expect(simple.length).toBeLessThanOrEqual(48)
  const share = polygonArea(simple, [1, 1]) / polygonArea(drawn, [1, 1])
  expect(share).toBeGreaterThan(0.98)
  expect(share).toBeLessThanOrEqual(1)
})

const mark = (changes: Partial<Mark>): Omit<Mark, 'number' | 'name'> => ({
  kind: 'distance',
  plane: 'axial',
  slice: 0,
  frame: 0,
  points: [
    [0, 0],
    [6, 2],
  ],
  ...changes,
})

describe('a mark', () => {
  it('says how long in millimetres where that is known, else in pixels', () => {
    expect(measure(mark({}), grid())).toMatchObject({ isMillimetres: true, length: 5 })
    const unknown = measure(mark({}), { ...grid(), stepsAt: () => null })
    expect(unknown.isMillimetres).toBe(false)
    expect(unknown.length).toBeCloseTo(Math.hypot(6, 2), 12)
  })

  it('says the value below a point', () => {
    expect(measure(mark({ kind: 'point', points: [[3.9, 2.2]] }), grid()).value).toBe(23)
    expect(measure(mark({ kind: 'arrow' }), grid())).toMatchObject({ isPointer: true, length: null })
    expect(measure(mark({ kind: 'point', points: [[3.9, 2.2]] }), grid([3, 2])).value).toBeNull()
  })

  it('is added, moved, renamed, removed, and each of that undone', () => {
    const one = marksAfter(noMarks, { deed: 'add', mark: mark({}) })
    const two = marksAfter(one, { deed: 'add', mark: mark({ kind: 'point', points: [[1, 1]] }) })
    const named = marksAfter(two, { deed: 'rename', number: 2, name: 'lesion' })
    const gone = marksAfter(named, { deed: 'remove', number: 1 })
    expect(gone.list.map(({ number, name }) => [number, name])).toEqual([[2, 'lesion']])
    const back = marksAfter(marksAfter(gone, { deed: 'undo' }), { deed: 'undo' })
    expect(back.list.map(({ name }) => name)).toEqual(['', ''])
    expect(marksAfter(marksAfter(back, { deed: 'redo' }), { deed: 'redo' }).list).toEqual(gone.list)
    // A number is never given twice, so that names stay true.
    expect(marksAfter(gone, { deed: 'add', mark: mark({}) }).list.at(-1)?.number).toBe(3)
    expect(marksAfter(noMarks, { deed: 'undo' })).toBe(noMarks)
  })
})

it('the table has a row a mark, and no name becomes a formula', () => {
  const whole: Mark = { ...mark({}), number: 1, name: '=cmd()' }
  const measured = measure(whole, grid())
  const [head = '', row = ''] = csvOf([{ mark: whole, name: whole.name, measured }], 'HU').split('\r\n')
  const cells = Object.fromEntries(head.split(',').map((name, at) => [name, row.split(',')[at]]))
  expect(cells).toMatchObject({
    name: "'=cmd()",
    kind: 'distance',
    slice: '1',
    length: '5',
    length_unit: 'mm',
    area: '',
    points_px: '0 0; 6 2',
  })
})

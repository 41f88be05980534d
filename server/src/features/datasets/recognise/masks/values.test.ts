import { expect, it } from 'vitest'
import { readMaskCode } from './values.ts'

const code = (...masks: number[][]) =>
  readMaskCode(
    masks.map((values, index) => ({
      id: `m${index}`,
      values: Object.fromEntries(values.map((value) => [String(value), 10])),
    })),
  )

it.each([
  ['black and white', [[0, 255], [0]], { '0': 0, '255': 1 }, ['background', 'foreground']],
  ['zero and one', [[0, 1]], { '0': 0, '1': 1 }, ['background', 'foreground']],
  ['any two values', [[10, 200]], { '10': 0, '200': 1 }, ['background', 'foreground']],
  ['white alone', [[255]], { '0': 0, '255': 1 }, ['background', 'foreground']],
  [
    'class numbers',
    [
      [0, 2],
      [0, 1],
    ],
    { '0': 0, '1': 1, '2': 2 },
    ['background', 'class 1', 'class 2'],
  ],
  ['class numbers with gaps', [[0, 3, 7]], { '0': 0, '3': 1, '7': 2 }, ['background', 'class 3', 'class 7']],
  [
    'class numbers with a border value, which counts nowhere',
    [[0, 1, 255], [0, 2, 255], [0]],
    { '0': 0, '1': 1, '2': 2, '255': -1 },
    ['background', 'class 1', 'class 2'],
  ],
  ['one class with a border', [[0, 1, 255]], { '0': 0, '1': 1, '255': -1 }, ['background', 'foreground']],
  [
    'class numbers that cover all, with what nobody decided on',
    [[3, 7, 255]],
    { '3': 0, '7': 1, '255': -1 },
    ['background', 'foreground'],
  ],
  [
    'things drawn in 1 by some and in 255 by others',
    [
      [0, 1],
      [0, 255],
      [0, 1],
      [0, 255],
    ],
    { '0': 0, '1': 1, '255': 1 },
    ['background', 'foreground'],
  ],
  [
    'things drawn in two greys',
    [[0, 128], [0, 255], [255]],
    { '0': 0, '128': 1, '255': 1 },
    ['background', 'foreground'],
  ],
  [
    'one thing on a ground of one and of zero',
    [
      [1, 2],
      [0, 255],
    ],
    { '0': 0, '1': 0, '2': 1, '255': 1 },
    ['background', 'foreground'],
  ],
  [
    'a class number a mask',
    [
      [0, 1],
      [0, 2],
    ],
    { '0': 0, '1': 1, '2': 2 },
    ['background', 'class 1', 'class 2'],
  ],
  [
    'greys of which one is background in one mask and marked in another',
    [
      [128, 255],
      [0, 128],
    ],
    { '0': 0, '128': 1, '255': 2 },
    ['background', 'class 1', 'class 2'],
  ],
  ['two values without a zero', [[1, 255]], { '1': 0, '255': 1 }, ['background', 'foreground']],
  [
    'evenly drawn greys',
    [[0, 85, 170, 255]],
    { '0': 0, '85': 1, '170': 2, '255': 3 },
    ['background', 'class 1', 'class 2', 'class 3'],
  ],
  ['only background', [[0], [0]], { '0': 0 }, ['background']],
])('reads %s', (_, masks, maskValues, classes) => {
  expect(code(...masks)).toEqual({ maskValues, classes, refused: new Map(), areThings: false })
})

it('refuses masks of which each was stretched by itself, but none that share their greys', () => {
  const found = code([0, 127, 255], [0, 85, 170, 255], [0])
  expect([found.areStretched, [...found.refused.keys()]]).toEqual([true, ['m0', 'm1']])
  for (const others of [
    [0, 128, 255],
    [0, 64, 128, 191, 255],
    [0, 255],
    [0, 90, 255],
  ])
    expect(code([0, 127, 255], others).areStretched).toBeUndefined()
})

it.each([
  ['stretched', [0, 32_767, 65_535], [0, 127, 255]],
  ['moved by a byte', [0, 256, 512], [0, 1, 2]],
])('takes 16 bits that were %s from 8 for the same as those of 8', (_, deep, shallow) => {
  const { classes, maskValues } = code(deep, shallow)
  expect(classes).toEqual(['background', 'class 1', 'class 2'])
  expect(deep.map((value) => maskValues[value])).toEqual([0, 1, 2])
  expect(shallow.map((value) => maskValues[value])).toEqual([0, 1, 2])
  // Alone they are as they are.
  expect(Object.keys(code(deep).maskValues)).toHaveLength(3)
  expect(code([0, 300], [0, 1, 2]).classes).toHaveLength(4)
})

it('takes 255 in volumes for a class: of volumes all of it counts', () => {
  const found = readMaskCode([{ id: 'v', values: { '0': 9, '1': 3, '2': 2, '255': 1 } }], 'volume_pairs')
  expect(found.classes).toEqual(['background', 'class 1', 'class 2', 'class 255'])
})

it('refuses masks blurred by lossy compression, by name', () => {
  const blurred = [0, 1, 2, 3, 120, 250, 252, 253, 255]
  const found = code([0, 255], blurred, [0, 255])
  expect(found.refused).toEqual(new Map([['m1', blurred.length]]))
  expect(found.maskValues).toEqual({ '0': 0, '255': 1 })
})

it('refuses the few masks of several classes beside masks of one, and none of two values', () => {
  const found = code(...Array(9).fill([0, 255]), [0, 1], [0, 3, 7])
  expect([...found.refused.keys()]).toEqual(['m10'])
  expect(found.maskValues).toEqual({ '0': 0, '1': 1, '255': 1 })
  expect(found.classes).toEqual(['background', 'foreground'])
})

it('takes one colour in some masks and grey in others for one thing, and two colours for two', () => {
  const mixed = told({ values: { '#000000': 9, '#00ff00': 2 } }, { values: { '0': 12, '1': 3 } })
  expect(mixed).toMatchObject({
    maskValues: { '#000000': 0, '#00ff00': 1, '#010101': 1 },
    classes: ['background', 'foreground'],
  })
  const two = told({ values: { '#000000': 9, '#00ff00': 2 } }, { values: { '#000000': 9, '#ff0000': 3 } })
  expect(two.classes).toEqual(['background', '#00ff00', '#ff0000'])
})

type Told = { values: Record<string, number>; smeared?: boolean; things?: number }
const told = (...masks: Told[]) => readMaskCode(masks.map((mask, index) => ({ id: `m${index}`, ...mask })))

it('takes each colour for a class, black for the background, also of masks that have nothing else', () => {
  const found = told({ values: { '#000000': 9, '#ff0000': 2, '#0000ff': 1 } }, { values: { '0': 12 } })
  expect(found.maskValues).toEqual({ '#000000': 0, '#0000ff': 1, '#ff0000': 2 })
  expect(found.classes).toEqual(['background', '#0000ff', '#ff0000'])
  expect(told({ values: { '#0000ff': 9, '#ff0000': 2 } })).toMatchObject({
    maskValues: { '#0000ff': 0, '#ff0000': 1 },
    classes: ['background', 'foreground'],
  })
})

it('takes what JPEG smeared in each file otherwise for one value', () => {
  const greys = told(
    { values: { '1': 90, '254': 10 }, smeared: true },
    { values: { '0': 90, '251': 9 }, smeared: true },
  )
  expect(greys).toMatchObject({ maskValues: { '0': 0, '255': 1 }, classes: ['background', 'foreground'] })
  const colours = told(
    { values: { '#000000': 90, '#fe0000': 10, '#0102fd': 4 }, smeared: true },
    { values: { '#010101': 90, '#fd0101': 10 }, smeared: true },
  )
  expect(colours.classes).toHaveLength(3)
  expect(colours.maskValues).toMatchObject({ '#000000': 0, '#fe0000': 2 })
})

it('counts things as one class where each has a value, and classes where each picture has the same ones', () => {
  const counted = (things: number): Told => ({
    values: Object.fromEntries(Array.from({ length: things + 1 }, (_, value) => [String(value), 5])),
    things,
  })
  expect(told(counted(7), counted(31), { values: { '0': 40 } })).toMatchObject({
    areThings: true,
    maskValues: { '0': 0, '*': 1 },
    classes: ['background', 'foreground'],
  })
  expect(told({ values: { '0': 5, '1': 90 }, things: 412 }, counted(9)).areThings).toBe(true)
  expect(told(counted(13), counted(13)).areThings).toBe(false)
  expect(told(counted(2), counted(3)).classes).toEqual(['background', 'class 1', 'class 2', 'class 3'])
})

it('takes a colour a thing for things, and refuses hundreds of colours that all masks share', () => {
  const painted = (from: number): Told => ({
    values: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `#${(from + index + 1).toString(16).padStart(6, '0')}`,
        5,
      ]).concat([['#000000', 100]]),
    ),
  })
  expect(told(painted(0), painted(70_000), painted(900_000))).toMatchObject({
    areThings: true,
    maskValues: { '#000000': 0, '*': 1 },
  })
  const same: Told = {
    values: Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`#0000${(index + 10).toString(16).padStart(2, '0')}`, 5]),
    ),
  }
  expect(told(same, same).refused.size).toBe(2)
})

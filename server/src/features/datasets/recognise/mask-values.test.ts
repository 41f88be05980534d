import { expect, it } from 'vitest'
import { readMaskCode } from './mask-values.ts'

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
    'class numbers with a border value',
    [[0, 1, 2, 255]],
    { '0': 0, '1': 1, '2': 2, '255': 3 },
    ['background', 'class 1', 'class 2', 'class 255'],
  ],
  [
    'evenly drawn greys',
    [[0, 85, 170, 255]],
    { '0': 0, '85': 1, '170': 2, '255': 3 },
    ['background', 'class 1', 'class 2', 'class 3'],
  ],
  ['only background', [[0], [0]], { '0': 0 }, ['background']],
])('reads %s', (_, masks, maskValues, classes) => {
  expect(code(...masks)).toEqual({ maskValues, classes, refused: new Map() })
})

it('refuses masks blurred by lossy compression, by name', () => {
  const blurred = [0, 1, 2, 3, 120, 250, 252, 253, 255]
  const found = code([0, 255], blurred, [0, 255])
  expect(found.refused).toEqual(new Map([['m1', blurred.length]]))
  expect(found.maskValues).toEqual({ '0': 0, '255': 1 })
})

it('refuses the few masks that are coded otherwise than all the others', () => {
  const found = code([0, 255], [0, 255], [0, 255], [0, 255], [0, 1])
  expect([...found.refused.keys()]).toEqual(['m4'])
  expect(found.classes).toEqual(['background', 'foreground'])
})

/** Masks of several files whose numbers are not those of classes, as other programs write them. */
import { expect, it } from 'vitest'
import { asTarget, image, readBy } from '../../../../test/label-files.ts'
import { pngBytes } from './png.ts'

const targets = [image('a.png', [8, 6, 1]), image('b.png', [8, 6, 1])].map(asTarget)
const masksOf = (one: Buffer, other: Buffer) =>
  new Map([
    ['masks/a.png', one],
    ['masks/b.png', other],
  ])
/** In two halves. */
const halves = (first: number, second: number) =>
  Uint8Array.from({ length: 48 }, (_, at) => (at < 24 ? first : second))

type Colour = readonly [number, number, number]
const [black, red, blue]: [Colour, Colour, Colour] = [
  [0, 0, 0],
  [200, 0, 0],
  [0, 0, 200],
]
const indexes = (...palette: Colour[]) => pngBytes({ kind: 'indexes', values: halves(1, 2), palette }, 8, 6)
const colours = (...palette: Colour[]) => {
  const values = Uint8Array.from([...halves(1, 2)].flatMap((value) => [...(palette[value] ?? black)]))
  return pngBytes({ kind: 'colours', values }, 8, 6)
}

it.each([
  ['palettes', indexes],
  ['colours', colours],
])('%s that were numbered in two ways are one class where they are one colour', async (_, make) => {
  const masks = masksOf(await make(black, red, blue), await make(black, blue, red))
  const { classes } = await readBy('masks', masks, targets)
  expect([...classes.values()].map(({ name, colour }) => [name, colour])).toEqual([
    ['class 1', '#c80000'],
    ['class 2', '#0000c8'],
  ])
})

it('a number that is alone in its mask is still the number of its class', async () => {
  const grey = (values: Uint8Array) => pngBytes({ kind: 'grey', values }, 8, 6)
  const numbered = await readBy('masks', masksOf(await grey(halves(0, 2)), await grey(halves(0, 1))), targets)
  expect([...numbered.classes.keys()].sort()).toEqual(['class 1', 'class 2'])
  const white = await readBy('masks', masksOf(await grey(halves(0, 255)), await grey(halves(0, 1))), targets)
  expect([...white.classes.keys()]).toEqual(['class 1'])
})

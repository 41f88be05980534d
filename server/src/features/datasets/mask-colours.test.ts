/** Masks whose numbers, greys or names would be read as other classes, or as of other pictures, without a word. */
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { makeSet } from '../../../test/label-table-files.ts'
import { pngBytes } from '../../../test/pngs.ts'
import type { TestFile } from '../../../test/uploads.ts'
import { encodePng } from '../../demo/png.ts'
import { manifestOf } from './service.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const SIDE = 24
type Paint<Colour> = (x: number, y: number) => Colour
const painted = <Colour>(paint: Paint<Colour>): Colour[] =>
  Array.from({ length: SIDE * SIDE }, (_, at) => paint(at % SIDE, Math.floor(at / SIDE)))
const png = (paint: Paint<number>): Buffer =>
  encodePng({ width: SIDE, height: SIDE, pixels: Uint8Array.from(painted(paint)) })
const picture = (seed: number): Buffer => png((x, y) => (x * 7 + y * 13 + seed * 31) % 200)

async function made(files: TestFile[]) {
  const { id, dataset, problems } = await makeSet(server, files, 'segmentation')
  const isReady = dataset.state === 'ready'
  return { dataset, problems, manifest: isReady ? await manifestOf(server.ctx.db, id) : null }
}

type Palette = readonly (readonly [number, number, number])[]
const [black, red, blue, grey]: Palette = [
  [0, 0, 0],
  [200, 0, 0],
  [0, 0, 200],
  [128, 128, 128],
]
/** Three stripes of the numbers 0, 1 and 2, drawn in these colours. */
const striped = (...palette: (readonly [number, number, number] | undefined)[]) =>
  pngBytes(
    {
      kind: 'indexes',
      values: Uint8Array.from(painted((x) => Math.floor(x / 8))),
      palette: palette.flatMap((colour) => (colour ? [colour] : [])),
    },
    SIDE,
    SIDE,
  )
/** A picture each. */
const withMasks = (masks: Buffer[]) =>
  masks.flatMap((bytes, seed) => [
    { path: `set/images/${seed}.png`, bytes: picture(seed) },
    { path: `set/masks/${seed}.png`, bytes },
  ])

it('palettes that number one colour differently are read by colour, and the set says so', async () => {
  const [one, other] = [await striped(black, red, blue), await striped(black, blue, red)]
  const { dataset, manifest, problems } = await made(withMasks([one, other, one]))
  expect(problems).toEqual([])
  expect(dataset.classes).toEqual(['background', '#0000c8', '#c80000'])
  expect(manifest?.maskValues).toEqual({ '#000000': 0, '#0000c8': 1, '#c80000': 2 })
  expect(dataset.facts?.classCounts).toEqual([3, 3, 3].map((stripes) => stripes * 8 * SIDE))
  expect(dataset.facts?.masks).toMatchObject({ renumbered: 3 })

  const agreeing = await made(withMasks([one, one]))
  expect(agreeing.dataset.classes).toEqual(['background', 'class 1', 'class 2'])
  expect(agreeing.dataset.facts?.masks).toBeUndefined()
})

it('numbers of a palette are colours where other masks of the set have these colours', async () => {
  const stripes = [black, red, blue] as const
  const values = Uint8Array.from(painted((x) => stripes[Math.floor(x / 8)] ?? []).flat())
  const colours = await pngBytes({ kind: 'colours', values }, SIDE, SIDE)
  const { dataset, problems } = await made(withMasks([await striped(black, red, blue), colours]))
  expect(problems).toEqual([])
  expect(dataset.classes).toEqual(['background', '#0000c8', '#c80000'])
  expect(dataset.facts?.classCounts).toEqual([2, 2, 2].map((count) => count * 8 * SIDE))

  const greys = png((x) => [0, 128, 255][Math.floor(x / 8)] ?? 0)
  const shaded = await made(withMasks([await striped(black, grey, [255, 255, 255]), greys]))
  expect(shaded.dataset.classes).toHaveLength(3)
  expect(shaded.dataset.facts?.classCounts).toEqual([2, 2, 2].map((count) => count * 8 * SIDE))
})

it('masks that were stretched one by one are set aside, each with that reason', async () => {
  const levels = (count: number) =>
    png((x) => Math.floor((Math.min(count - 1, Math.floor(x / 4)) * 255) / (count - 1)))
  const { dataset, problems } = await made(withMasks([levels(3), levels(4), levels(2), levels(4)]))
  expect(dataset.state).toBe('failed')
  expect(problems.map(([, reason]) => reason)).toEqual(Array(4).fill('mask_stretched'))
  const same = await made(withMasks([levels(3), levels(2), levels(3)]))
  expect([same.problems, same.dataset.classes]).toEqual([[], ['background', 'class 1', 'class 2']])
})

it('a mask whose black and white changed places is told, and stays as it is', async () => {
  const square = (side: number, inside: number) =>
    png((x, y) => (x < side && y < side ? inside : 255 - inside))
  const masks = [square(6, 255), square(7, 255), square(6, 0), square(8, 255)]
  const { dataset, problems } = await made(withMasks(masks))
  expect(problems).toEqual([])
  expect(dataset.facts?.masks).toMatchObject({ inverted: 1 })
  expect(dataset.facts?.classCounts[1]).toBe(36 + 49 + SIDE ** 2 - 36 + 64)
  const large = await made(withMasks([square(6, 255), square(7, 255), square(20, 255), square(8, 255)]))
  expect(large.dataset.facts?.masks).toBeUndefined()
  const half = [square(6, 255), square(7, 255), square(8, 255), square(6, 0), square(7, 0), square(8, 0)]
  expect((await made(withMasks(half))).dataset.facts?.masks).toMatchObject({ inverted: 3 })
  const most = [square(6, 0), square(7, 0), square(8, 0), square(7, 255)]
  expect((await made(withMasks(most))).dataset.facts?.masks).toMatchObject({ inverted: 1 })
})

it('a table that pairs pictures with other masks than names do is believed', async () => {
  const pictures = [1, 2, 3].map((seed) => ({ path: `set/images/${seed}.png`, bytes: picture(seed) }))
  const square = (side: number) => png((x, y) => (x < side && y < side ? 255 : 0))
  const masks = [1, 2, 3].map((n) => ({ path: `set/masks/${n}.png`, bytes: square(n * 2) }))
  const list = (rows: string) => ({ path: 'set/pairs.csv', bytes: Buffer.from(`image,mask\n${rows}`) })
  const areas = async (...tables: TestFile[]) => {
    const { manifest, problems } = await made([...pictures, ...masks, ...tables])
    expect(problems).toEqual([])
    const bytesOf = (sha256: string | null) => buffer(server.ctx.storage.read(sha256 ?? ''))
    return Promise.all(
      (manifest?.items ?? []).map(async ({ label }) => (await bytesOf(label)).equals(square(4))),
    )
  }
  expect(await areas()).toEqual([false, true, false])
  expect(await areas(list('1.png,2.png\n2.png,3.png\n3.png,1.png'))).toEqual([true, false, false])
  expect(await areas(list('1.png,1.png\n2.png,2.png\n3.png,3.png'))).toEqual([false, true, false])
})

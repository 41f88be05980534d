/** Slices of a flow study whose flow is known, by their pixels: colours in the vessels alone, and arrows along the flow. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flowAt } from '../../web/src/pages/dev-flow/known-study.ts'
import { launch, open } from '../browser.ts'
import { type DevPages, serveDevPages } from '../dev-pages.ts'
import { arrowsOf, inkIn, type Pixel, placingIn } from '../flow-picture.ts'

let pages: DevPages
let browser: Browser

beforeAll(async () => {
  pages = await serveDevPages()
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  pages?.stop()
})

const SIZE: [number, number, number] = [64, 64, 32]
type Voxel = readonly [number, number, number]
const isVessel = (voxel: Voxel) => flowAt(voxel, SIZE).brightness > 150

/** Slices away from the plane that a run has across the straight vessel: one of both vessels, and one along the arch. */
const slices = {
  Transversal: {
    sides: [64, 64],
    ...{ key: 'PageUp', steps: 6, scaling: '3' },
    voxelOf: (column: number, row: number, slice: number): Voxel => [column, row, slice - 1],
    along: ([x, y]: readonly number[]) => [x ?? 0, y ?? 0],
  },
  // From the front to the back, and from the head to the feet.
  Sagittal: {
    sides: [64, 32],
    ...{ key: 'PageDown', steps: 9, scaling: '0.7' },
    voxelOf: (column: number, row: number, slice: number): Voxel => [slice - 1, column, 31 - row],
    along: ([, y, z]: readonly number[]) => [y ?? 0, -(z ?? 0)],
  },
} as const

test.each(Object.keys(slices) as (keyof typeof slices)[])(
  'in a slice (%s) colours fill the vessels and nothing else, and arrows point where blood flows',
  async (plane) => {
    const { sides, key, steps, scaling, voxelOf, along } = slices[plane]
    const { page, errors } = await open(browser, { width: 1280, height: 900 })
    await page.goto(`${pages.url}/dev/flow?run&frames=6`)
    await page.getByText(plane, { exact: true }).click()
    const drawing = page.getByRole('application')
    await drawing.focus()
    for (let step = 0; step < steps; step++) await page.keyboard.press(key)
    await page.keyboard.press('.')
    await page.getByRole('switch', { name: 'Fluid line' }).click()
    await page.getByRole('radio', { name: 'Speed', exact: true }).click()
    const slice = Number(await page.getByRole('slider', { name: 'Slice' }).getAttribute('aria-valuenow'))
    const whole = [...Array(sides[0]).keys()].flatMap((column) =>
      [...Array(sides[1]).keys()].filter((row) => isVessel(voxelOf(column, row, slice))),
    )
    const placing = await placingIn(drawing, [...sides])
    const filled = async () => {
      const places = new Set((await inkIn(drawing, placing)).filter(isWithin).map(placeOf))
      const inside = [...places].filter((place) =>
        isVessel(voxelOf(place % 64, Math.floor(place / 64), slice)),
      )
      return { inside: inside.length, outside: places.size - inside.length }
    }
    await expect.poll(filled).toEqual({ inside: whole.length, outside: 0 })

    await page.getByRole('radio', { name: 'None' }).click()
    await page.getByRole('switch', { name: 'Arrows' }).click()
    await page.getByRole('tab', { name: 'Options' }).click()
    await page.getByRole('spinbutton', { name: 'Spacing between arrows' }).fill('4')
    await page.getByRole('spinbutton', { name: 'Arrow scaling' }).fill(scaling)
    const bare = await placingIn(drawing, [...sides], 0)
    /** Degrees between what is drawn and what flows where an arrow begins. */
    const gaps = async () =>
      arrowsOf(await inkIn(drawing, bare), bare).flatMap(({ tail, way }) => {
        const voxel = voxelOf(Math.round(tail[0]), Math.round(tail[1]), slice)
        if (!isVessel(voxel)) return []
        const [u = 0, v = 0] = along(flowAt(voxel, SIZE).flow)
        return Math.acos((u * way[0] + v * way[1]) / Math.hypot(u, v)) * (180 / Math.PI)
      })
    await expect.poll(async () => (await gaps()).filter((gap) => gap < 15).length).toBeGreaterThanOrEqual(12)
    expect(Math.max(...(await gaps()))).toBeLessThan(20)
    expect(errors).toEqual([])
    await page.context().close()
  },
)

/** The voxel that a pixel lies in. */
const placeOf = ({ column, row }: Pixel): number => 64 * Math.round(row) + Math.round(column)

/** Not on a border, where the colours of two voxels meet in one pixel. */
const isWithin = ({ column, row }: Pixel): boolean =>
  [column, row].every((place) => Math.abs(place - Math.round(place)) < 0.4)

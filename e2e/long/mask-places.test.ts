/** A mask lies over its image where the image is drawn, whatever the shape of either the image or the window. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn as clientFor, poll, uploadFolder } from '../../bench/client.ts'
import { encodePng } from '../../server/src/demo/png.ts'
import { open, signIn, untilQuiet, type Visit, visit } from '../browser.ts'
import { syntheticFolder, write } from '../data.ts'

const sizes = [
  [96, 64],
  [64, 96],
  [80, 80],
] as const
let stage: Visit
let projectId: string

beforeAll(async () => {
  stage = await visit()
  const organs = syntheticFolder('Organs', (folder) => {
    for (const [index, [width, height]] of sizes.entries()) {
      const png = (valueAt: (x: number) => number) =>
        encodePng({
          ...{ width, height },
          pixels: Uint8Array.from({ length: width * height }, (_, at) => valueAt(at % width)),
        })
      write(
        `${folder}/images/${index}.png`,
        png((x) => (x * 7 + index * 31) % 200),
      )
      write(
        `${folder}/masks/${index}.png`,
        png((x) => (x < 20 ? 0 : x < 40 ? 1 : 2)),
      )
    }
  })
  const client = await clientFor(stage.product)
  const { folderId } = await uploadFolder(client, organs.path, { name: 'Organs' })
  const project = await client.call('projects/create', { name: 'Organs', task: 'segmentation' })
  projectId = project.id
  const made = await client.call('datasets/recognise', { projectId, folderId })
  await poll(
    () => client.call('datasets/detail', { id: made.id }),
    ({ state }) => state === 'ready',
  )
})
afterAll(() => stage?.end())

it.each([
  [1280, 800],
  [375, 812],
])('in the gallery and enlarged, in a window of %i × %i', async (width, height) => {
  const { page } = await open(stage.page.context().browser() ?? raise(), { width, height })
  await signIn(page, stage.product)
  await page.goto(`${stage.product.url}/projectDetail?id=${projectId}`)
  await untilQuiet(page, () => page.getByText('Show all images').click())
  const gallery = page.getByRole('dialog', { name: 'Images of Organs' })
  await isOver(gallery.locator('li:has(button)'), sizes.length)
  for (const index of sizes.keys()) {
    await untilQuiet(page, () => gallery.locator('li button').nth(index).click())
    const large = page.getByRole('dialog').filter({ hasText: `${index + 1} of ${sizes.length}` })
    await isOver(large, 1)
    await large.getByRole('button', { name: 'Close' }).click()
    await large.waitFor({ state: 'hidden' })
  }
  await page.context().close()
})

const raise = (): never => {
  throw new Error('the browser is gone')
}

/** Both are fitted to their own place and have one shape: with one place they lie on each other. */
async function isOver(pictures: ReturnType<Visit['page']['locator']>, count: number): Promise<void> {
  expect(await pictures.locator('img').count()).toBe(count)
  for (let index = 0; index < count; index += 1) {
    const [image, mask] = await Promise.all([
      pictures.locator('img').nth(index).boundingBox(),
      pictures.locator('canvas').nth(index).boundingBox(),
    ])
    expect(image?.width).toBeGreaterThan(0)
    for (const side of ['x', 'y', 'width', 'height'] as const)
      expect(mask?.[side], side).toBeCloseTo(image?.[side] ?? Number.NaN, 0)
  }
}

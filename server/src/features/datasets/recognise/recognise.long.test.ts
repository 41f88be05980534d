/** Many names are recognised in a time that does not grow with their square. */
import type { Task } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'
import { recognise } from './recognise.ts'

const named = (paths: string[], task: Task | null, emptyFolders: string[] = []) =>
  recognise({ paths, emptyFolders, read: async () => null }, task)
const masks = async (paths: string[]) => {
  const found = await named(paths, 'segmentation')
  if (found.layout !== 'images_masks') throw new Error(`not images and masks: ${JSON.stringify(found)}`)
  return found
}

describe('speed', () => {
  it('does not grow with the square of the names', async () => {
    const paths = Array.from({ length: 20_000 }, (_, n) => [
      `images/im_${n}.png`,
      `masks/im_${n}_mask.png`,
    ]).flat()
    const start = performance.now()
    expect((await masks(paths)).pairs).toHaveLength(20_000)
    expect(performance.now() - start).toBeLessThan(8000)
  })
})

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, answerOf, openNetwork } from '../../src/features/try/network.ts'
import type { Picture } from '../../src/features/try/picture.ts'
import { type Case, makeExports, openRun } from './try-engine.ts'

const grey = { channels: 1, bits: 8 } as const
const colour = { channels: 3, bits: 8 } as const
const deep = { channels: 1, bits: 16 } as const

/** Every task, networks that come with the product, those that take one size alone, and pictures of every kind. */
const cases: Case[] = [
  { name: 'named', task: 'classification', network: 'small_resnet', size: [32, 32], ...colour },
  { name: 'named-deep', task: 'classification', network: 'mobilenetv2', size: [32, 48], ...deep },
  { name: 'named-by-tokens', task: 'classification', network: 'vit_tiny', size: [32, 32], ...grey },
  { name: 'labelled', task: 'multilabel', network: 'small_resnet', size: [32, 32], ...grey },
  { name: 'outlined', task: 'segmentation', network: 'unet_small', size: [32, 32], ...colour },
  { name: 'outlined-deep', task: 'segmentation', network: 'unet_small', size: [48, 32], ...deep },
  { name: 'outlined-at-a-part', task: 'segmentation', network: 'deeplab', size: [64, 64], ...grey },
  { name: 'framed', task: 'detection', network: 'yolo_small', size: [64, 64], ...colour },
  { name: 'framed-by-points', task: 'detection', network: 'fcos', size: [64, 64], ...grey },
  { name: 'framed-by-middles', task: 'detection', network: 'centernet', size: [64, 64], ...grey },
  { name: 'enlarged', task: 'super_resolution', network: 'edsr_small', size: [16, 16], factor: 2, ...colour },
  { name: 'enlarged-deep', task: 'super_resolution', network: 'espcn', size: [16, 16], factor: 3, ...deep },
  { name: 'denoised', task: 'denoising', network: 'dncnn_small', size: [16, 16], ...grey },
  { name: 'denoised-deep', task: 'denoising', network: 'dncnn_small', size: [16, 16], ...deep },
]

let made: ReturnType<typeof makeExports>
beforeAll(() => {
  made = makeExports(cases)
}, 600_000)
afterAll(() => made?.remove())

describe.each(cases)('$name ($network)', ({ name }) => {
  it('answers in the browser as in the engine', async () => {
    const run = openRun(join(made.folder, name))
    const network = await openNetwork(run.network)
    for (const item of run.items.slice(0, 6)) {
      const answer = await answerOf(network, run.picture(item.name))
      compare(answer, { ...run, item })
    }
  })
})

type Run = ReturnType<typeof openRun> & { item: ReturnType<typeof openRun>['items'][number] }

function compare(answer: Answer, { item, mask, restored, truth }: Run): void {
  switch (answer.kind) {
    case 'classes':
    case 'labels':
      expect(answer.probabilities).toHaveLength(item.probabilities.length)
      for (const [index, sure] of answer.probabilities.entries()) {
        expect(Math.abs(sure - (item.probabilities[index] ?? 0))).toBeLessThan(1e-3)
      }
      break
    case 'areas':
      expect(diceOf(answer.classes, mask(item.name).levels)).toBeGreaterThanOrEqual(0.999)
      break
    case 'boxes': {
      const found = item.boxes?.found ?? []
      expect(answer.boxes.length).toBeGreaterThanOrEqual(found.length)
      for (const [index, box] of found.entries()) {
        const same = answer.boxes[index]
        if (!same) throw new Error(`box ${index} was not found`)
        expect(Math.abs(same.score - box.score)).toBeLessThan(1e-3)
        expect(same.class).toBe(box.class)
        // The engine tells corners in hundredths of a pixel.
        for (const side of ['x0', 'y0', 'x1', 'y1'] as const)
          expect(Math.abs(same[side] - box[side])).toBeLessThan(0.02)
      }
      break
    }
    case 'picture': {
      const wanted = restored(item.name)
      expect([answer.picture.width, answer.picture.height]).toEqual([wanted.width, wanted.height])
      expect(answer.picture.levels.BYTES_PER_ELEMENT).toBe(wanted.levels.BYTES_PER_ELEMENT)
      const real = truth(item.name)
      expect(Math.abs(psnrOf(answer.picture, real) - psnrOf(wanted, real))).toBeLessThan(0.01)
      break
    }
  }
}

/** Of the class that is not background: 200 in the engine's mask. */
function diceOf(classes: Uint8Array, mask: ArrayLike<number>): number {
  let [both, sum] = [0, 0]
  for (const [at, one] of classes.entries()) {
    const isWanted = mask[at] === 200
    if (one === 1 && isWanted) both++
    sum += Number(one === 1) + Number(isWanted)
  }
  return sum === 0 ? 1 : (2 * both) / sum
}

function psnrOf(one: Picture, other: Picture): number {
  const top = one.levels instanceof Uint8Array ? 255 : 65535
  let squares = 0
  for (const [at, level] of one.levels.entries()) squares += ((level - (other.levels[at] ?? 0)) / top) ** 2
  return -10 * Math.log10(squares / one.levels.length)
}

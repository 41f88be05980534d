/** What networks answer in the browser, against what the engine says. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, answerOf, openNetwork } from '../../src/features/try/network.ts'
import type { Picture } from '../../src/features/try/picture.ts'
import { type Case, makeExports, openRun } from './try-engine.ts'

/** The tests of a file of its own: each network is trained, and asked in the browser. */
export function compareAnswers(cases: readonly Case[]) {
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
}

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

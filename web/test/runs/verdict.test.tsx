import type { LearnedRun } from '@neuroloom/contract/runs'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { outlineVerdict, pooledNote } from '../../src/features/runs/results/outline-verdict.ts'
import { Score } from '../../src/features/runs/results/score.tsx'
import { setLanguage } from '../../src/lib/i18n.ts'
import { RunPage } from '../../src/pages/run.tsx'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { makeDetail, makeDone, makeItem, makeProject } from './runs-make.ts'

vi.mock('socket.io-client', () => import('./runs-live.ts'))

beforeEach(async () => {
  signIn(makeUser())
  await setLanguage('en')
})

const outlined = (metrics: LearnedRun['metrics'], changes: Partial<LearnedRun> = {}) =>
  makeDone({
    ...{ kind: 'test', parentId: 'run-0', task: 'segmentation', classes: ['background', 'nucleus'], metrics },
    ...{ confusion: null, perClass: [], counts: { test: 32 } },
    ...changes,
  })

const scores = (bad: number, total: number) => () => ({
  low: 0,
  high: 1,
  counts: [bad, total - bad],
  bad,
  total,
})

describe('the verdict on outlines', () => {
  it.each([
    [{ mean: 0.95, pooled: 0.94, cases: { bad: 0, total: 32 } }, 'overlapExcellent'],
    [{ mean: 0.95, pooled: null, cases: null }, 'overlapExcellent'],
    [{ mean: 0.95, pooled: 0.7, cases: null }, 'overlapFair'],
    [{ mean: 0.7, pooled: 0.95, cases: null }, 'overlapFair'],
    [{ mean: 0.95, pooled: 0.94, cases: { bad: 2, total: 32 } }, 'overlapGoodBut'],
    [{ mean: 0.85, pooled: 0.7, cases: { bad: 2, total: 32 } }, 'overlapFairBut'],
    [{ mean: 0.5, pooled: 0.5, cases: { bad: 9, total: 32 } }, 'overlapPoorBut'],
    [{ mean: 0.7, pooled: 0.95, cases: { bad: 16, total: 32 } }, 'overlapMostlyBad'],
  ])('of %o is %s', (told, name) => {
    expect(outlineVerdict(told)).toBe(name)
  })

  it('says which images go worse where both ways to count differ', () => {
    expect(pooledNote({ mean: 0.9, pooled: 0.75 })).toBe('pooledLower')
    expect(pooledNote({ mean: 0.75, pooled: 0.9 })).toBe('pooledHigher')
    expect(pooledNote({ mean: 0.9, pooled: 0.87 })).toBeNull()
    expect(pooledNote({ mean: 0.9, pooled: null })).toBeNull()
  })
})

describe('a test', () => {
  it.each([
    ['en', 'Well on most images, badly on 2 of 32 (Dice below 0.5).', 'Show these images'],
    ['zh', '大多数图像上吻合良好，但 32 张中有 2 张很差（Dice 低于 0.5）。', '查看这些图像'],
    ['ru', 'Хорошо на большинстве снимков, плохо на 2 из 32 (Dice ниже 0,5).', 'Показать эти снимки'],
  ] as const)('names the bad cases in %s', async (language, verdict, press) => {
    await setLanguage(language)
    serve({ 'runs/scores': scores(2, 32) })
    const onShow = vi.fn()
    renderPart(<Score run={outlined({ dice: 0.92, pooledDice: 0.93 })} onShowBad={onShow} />)
    expect(await screen.findByText(verdict)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: press }))
    expect(onShow).toHaveBeenCalledOnce()
  })

  it('says what it means that all points together tell something else', async () => {
    serve({ 'runs/scores': scores(0, 32) })
    renderPart(<Score run={outlined({ dice: 0.92, pooledDice: 0.75 })} />)
    expect(await screen.findByText(/Dice is 0\.750: images with a large area go worse/)).toBeVisible()
    expect(screen.getByText(/roughly right, but parts are missing/)).toBeVisible()
  })

  it.each([
    ['classification', { accuracy: 0.883 }, '7 of 60 classified wrongly.'],
    ['multilabel', { macroF1: 0.8 }, 'With a wrong label: 7 of 60 images.'],
    ['detection', { map50: 0.8 }, 'With missed boxes: 7 of 60 images.'],
    ['denoising', { psnr: 30, inputPsnr: 20 }, 'Made worse: 7 of 60 images.'],
  ] as const)('of %s names its own', async (task, metrics, words) => {
    serve({ 'runs/scores': scores(7, 60) })
    renderPart(<Score run={outlined(metrics, { task })} />)
    expect(await screen.findByText(words, { exact: false })).toBeVisible()
    // Where no images are shown there is nothing to lead to.
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull()
  })

  it('is not asked for while it was not one: validation images are no results', async () => {
    const received = serve({ 'runs/scores': scores(7, 60) })
    renderPart(<Score run={makeDone()} />)
    await screen.findByText(/classified 36 correctly/)
    expect(received.some(({ path }) => path === 'runs/scores')).toBe(false)
  })

  it.each([
    ['test', outlined({ dice: 0.92, pooledDice: 0.93 })],
    [
      'cross-validation',
      outlined(
        { dice: 0.92, pooledDice: 0.93 },
        { kind: 'train', parentId: null, validation: { method: 'kfold', splits: 5, seed: 7 } },
      ),
    ],
  ] as const)('leads from the verdict of a %s to exactly these images', async (_, run) => {
    const received = serve({
      'runs/detail': () => makeDetail(run),
      'runs/evidence': () => ({ evidence }),
      'runs/scores': scores(2, 32),
      'runs/items': ({ bad }) => ({
        items: [makeItem({ id: bad ? 'bad' : 'all', name: bad ? 'bad.png' : 'all.png', score: 0.3 })],
        next: null,
        total: 1,
      }),
      'runs/groups': () => ({ groups: [], next: null, total: 0, metric: 'dice' }),
      'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
      'projects/detail': () => ({
        ...makeProject({ task: 'segmentation', displays: ['outlines'] }),
        files: [],
      }),
      'datasets/list': () => ({ datasets: [] }),
      'user/ticket': () => ({ ticket: 'once' }),
    })
    renderPart(<RunPage />, '/run?id=run-1')
    expect(await screen.findByRole('button', { name: 'Enlarge all.png' })).toBeVisible()
    await userEvent.click(await screen.findByRole('button', { name: 'Show these images' }))
    expect(await screen.findByRole('button', { name: 'Enlarge bad.png' })).toBeVisible()
    expect(screen.getByText('Only Dice below 0.5')).toBeVisible()
    await waitFor(() =>
      expect(received.findLast(({ path }) => path === 'runs/items')?.body).toEqual({
        ...{ id: 'run-1', order: 'worst', after: 0, bad: true },
      }),
    )
  })
})

const evidence = {
  ...{ v: 1 as const, items: 32, groups: 32, method: 'score' as const, resamples: 0 },
  ...{
    intervals: {},
    perClass: [],
    curves: [],
    calibration: null,
    surfaces: [],
    decisions: [],
    detections: [],
  },
  ...{ gains: [], heat: null, cross: null },
}

import type { Run, Suggestion } from '@neuroloom/contract/runs'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forecastOf } from '../../src/features/runs/forecast.tsx'
import { draftOf } from '../../src/features/runs/train/settings-draft.ts'
import { RunPage } from '../../src/pages/run.tsx'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { makeDetail, makeProject, makeRun, makeSuggestion } from './runs-make.ts'

vi.mock('socket.io-client', () => import('./runs-live.ts'))

beforeEach(() => signIn(makeUser()))

const open = (changes: Parameters<typeof makeRun>[0]) => {
  const called: string[] = []
  const note = (path: string) => () => {
    called.push(path)
    return makeRun(changes)
  }
  serve({
    'user/ticket': () => ({ ticket: 'once' }),
    'runs/detail': () => makeDetail(makeRun(changes)),
    'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
    'projects/detail': () => makeProject(),
    'networks/list': () => ({ networks: [], own: [] }),
    'runs/pause': note('runs/pause'),
    'runs/resume': note('runs/resume'),
    'runs/rerun': note('runs/rerun'),
  })
  renderPart(<RunPage />, '/run?id=run-1')
  return called
}

describe('the page of a run', () => {
  it('tells a waiting run when it is expected to begin', async () => {
    open({ state: 'queued', position: 2, phase: null, startsInSeconds: 356 })
    expect(await screen.findByText(/Starts in about 6 min/)).toBeVisible()
  })

  it.each([
    [
      { state: 'queued', position: 1, takes: { seconds: 300, isSure: true } },
      /Expected duration: about 5 min/,
    ],
    // Before one like it has ended here.
    [
      { state: 'queued', position: 1, takes: { seconds: 300, isSure: false } },
      /Expected duration: 3 mins to 10 mins/,
    ],
    [{ pausing: true }, /The predictions so far are being saved/],
    [{ state: 'paused' }, /resumes with those that are left/],
    [{ state: 'failed', error: { code: 'timeout', params: {} } }, 'Choose fewer files and start again.'],
  ] satisfies [Partial<Run>, string | RegExp][])(
    'has words of its own for a prediction: %j',
    async (changes, words) => {
      open({ kind: 'predict', ...changes })
      expect(await screen.findByText(words)).toBeVisible()
    },
  )

  const begun = {
    ...{ fold: 0, folds: 1, epoch: 2, epochs: 20, step: 5, steps: 10, loss: 0.4 },
    ...{ learningRate: 0.001, itemsPerSecond: 250, etaSeconds: 666 },
  }
  it.each([
    ['says so when the first steps tell another time', {}, true],
    ['is silent while the forecast holds', { foreseenSeconds: 600 }, false],
    ['is silent before ten steps have told', { progress: { ...begun, epoch: 1 } }, false],
    ['is silent when half of the time is over', { progress: { ...begun, epoch: 12 } }, false],
    ['is silent where nothing was foreseen', { foreseenSeconds: null }, false],
  ] satisfies [string, Partial<Run>, boolean][])('%s', async (_, changes, isTold) => {
    open({ state: 'running', foreseenSeconds: 240, progress: begun, ...changes })
    await screen.findByRole('progressbar')
    expect(document.title).toMatch(/^\d+% · Training \d+ · Neuroloom$/)
    const told = screen.queryByText(/Updated estimate: about 12 min.* in total \(was 4 min/)
    expect(told !== null).toBe(isTold)
  })

  it('lets a paused run go on', async () => {
    const called = open({ state: 'paused', phase: null })
    expect(await screen.findByText(/What has been learned so far is saved/)).toBeVisible()
    expect(document.title).toMatch(/^Paused · Training \d+ · Neuroloom$/)
    await userEvent.click(await screen.findByRole('button', { name: /Continue/ }))
    await waitFor(() => expect(called).toEqual(['runs/resume']))
  })

  it('offers to try a failed run again, and says what it had begun with', async () => {
    const called = open({
      state: 'failed',
      error: { code: 'internal', params: {} },
      startFrom: {
        id: 'run-0',
        number: 2,
        isSameProject: true,
        hasSeenTest: true,
        model: null,
        taken: { layers: 86, ofLayers: 88, parameters: 100, ofParameters: 110 },
      },
    })
    expect(await screen.findByText(/86 of 88 layers start from the weights of training 2/)).toBeVisible()
    expect(screen.getByText('Figures may look better than they are')).toBeVisible()
    await userEvent.click(await screen.findByRole('button', { name: /Try again/ }))
    await waitFor(() => expect(called).toEqual(['runs/rerun']))
  })
})

describe('the forecast', () => {
  const of = (changes: Partial<Suggestion>, draft = {}) => {
    const suggestion = makeSuggestion(changes)
    return forecastOf({ suggestion, task: 'classification', draft: { ...draftOf(suggestion), ...draft } })
  }

  it('stretches with what the member changes', () => {
    const { epochs } = makeSuggestion().hyper
    expect(of({ forecastSeconds: 100 })).toBe(100)
    const doubled = of({ forecastSeconds: 100 }, { epochs: epochs * 2 }) ?? 0
    expect(doubled).toBeGreaterThan(180)
    expect(doubled).toBeLessThan(220)
  })

  it('is silent while a setting is wrong or nothing is known', () => {
    expect(of({ forecastSeconds: null })).toBeNull()
    expect(of({ forecastSeconds: 100 }, { epochs: null })).toBeNull()
  })
})

import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { ComparePage } from '../../src/pages/compare.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { makeFlowRun, makeRunDetail } from './make-run.ts'
import { makeHead } from './make-study.ts'

beforeEach(() => signIn())

describe('flow side by side', () => {
  it('is not tried where two studies are larger than a page can hold, and says what helps', async () => {
    const head = { ...makeHead(), size: [200, 200, 60] as [number, number, number], frames: 20 }
    serve({
      'runs/detail': () => ({ run: makeFlowRun(), curves: [], preview: null, previewEpochs: [] }),
      'flow/run': ({ id }) =>
        makeRunDetail({
          run: makeFlowRun({ id, number: id === 'run-1' ? 1 : 2 }),
          study: { name: 'Aorta 12', id: 'study-1', head },
        }),
    })
    renderPart(<ComparePage />, '/compare?flow=run-1,run-2')
    expect(await screen.findByText('The two studies are too large to be shown side by side')).toBeVisible()
    expect(screen.getByText(/Open each run on its own.*fewer frames or a smaller block/)).toBeVisible()
    // The numbers are compared all the same.
    expect(screen.getByRole('region', { name: 'Numbers' })).toBeVisible()
  })

  it('of two moments needs two of them', async () => {
    const head = { ...makeHead(), frames: 1, times: [0] }
    serve({ 'flow/run': () => makeRunDetail({ study: { name: 'Aorta 12', id: 'study-1', head } }) })
    renderPart(<ComparePage />, '/compare?flow=run-1')
    expect(await screen.findByText(/This study has one moment only/)).toBeVisible()
    expect(screen.getByRole('link', { name: /Flow run/ })).toHaveAttribute('href', '/run?id=run-1')
  })

  it('of two moments needs results', async () => {
    serve({ 'flow/run': () => makeRunDetail({ results: null }) })
    renderPart(<ComparePage />, '/compare?flow=run-1')
    expect(await screen.findByText('This run has no results yet.')).toBeVisible()
  })
})

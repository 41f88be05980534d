import type { ExportedFacts } from '@neuroloom/contract/exported'
import { exportedFactsSchema } from '@neuroloom/contract/exported'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Progress } from '../../src/features/try/progress.tsx'
import { renderPart } from '../render.tsx'

const facts: ExportedFacts = exportedFactsSchema.parse({
  ...{ task: 'classification', classes: ['sound', 'ill'], channels: 1, imageSize: [32, 32] },
  ...{ normalisation: { kind: 'image' }, validation: { threshold: null } },
  ...{ input: { shape: ['batch', 1, 32, 32], sizeFree: false, sizeMultiple: [1, 1] }, outputs: [] },
})

it.each([
  [12, 'Done in under 0.1 s, on this device.'],
  [99.9, 'Done in under 0.1 s, on this device.'],
  [100, 'Done in 0.1 s, on this device.'],
  [2340, 'Done in 2.3 s, on this device.'],
])('an answer after %s ms is never said to have taken no time', async (milliseconds, said) => {
  const answer = { kind: 'classes' as const, probabilities: [0.9, 0.1] }
  const state = {
    ...{ facts, loaded: 1, name: 'a.png', shown: null, isBusy: false, part: null },
    ...{ answer, milliseconds, failure: null },
  }
  renderPart(<Progress state={state} onStop={() => undefined} />)
  expect(await screen.findByRole('status')).toHaveTextContent(said)
})

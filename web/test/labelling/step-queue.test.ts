import type { Step } from '@neuroloom/contract/labelling/steps'
import { beforeEach, describe, expect, it } from 'vitest'
import { StepQueue } from '../../src/features/labelling/journal/step-queue.ts'
import { signIn } from '../make.ts'
import { serve } from '../serve.ts'

beforeEach(() => signIn())

const step = (id: string): Step => ({
  ...{ id, stroke: id, tool: 'tag', madeAt: 0 },
  deed: { do: 'tags', before: [], after: ['cyst'] },
})

describe('steps on their way', () => {
  it('are all sent when sending ends, also those made while earlier ones were on their way', async () => {
    const answers: (() => void)[] = []
    let seq = 0
    const received = serve({
      'labelling/save': ({ steps }) =>
        new Promise((resolve) => {
          answers.push(() => {
            seq += steps.length
            resolve({ seq, missed: [] })
          })
        }),
    })
    const queue = new StepQueue({
      ...{ readingId: 'reading', seq: 0, kept: null },
      ...{ onMissed: () => undefined, onState: () => undefined },
    })
    const answerNext = async () => {
      await expect.poll(() => answers.length).toBe(1)
      answers.splice(0)[0]?.()
    }
    queue.add(step('first'))
    const early = queue.send()
    await expect.poll(() => answers.length).toBe(1)
    queue.add(step('second'))
    const late = queue.send()
    await answerNext()
    await answerNext()
    await Promise.all([early, late])
    expect(queue.steps).toEqual([])
    const sent = received.flatMap(({ body }) => (body as { steps: Step[] }).steps.map(({ id }) => id))
    expect(sent).toEqual(['first', 'second'])
    queue.stop()
  })
})

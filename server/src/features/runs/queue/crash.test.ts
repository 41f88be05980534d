import { describe, expect, it } from 'vitest'
import { crashStage, hyper, isPast, weightsOf } from '../../../../test/crash-runs.ts'
import { gone, hasEnded, spawnWorker, startQuick, until } from '../../../../test/training.ts'

const at = crashStage()

describe('a worker', () => {
  it('that is killed in the middle of an epoch loses nothing: same weights as unbroken', async () => {
    const first = await spawnWorker(at.server)
    const { id } = await startQuick(at.server, at.session, { set: at.set, hyper })
    const broken = await until(at.server, at.session, { id, is: isPast(3) })
    expect(broken.state).toBe('running')
    first.kill('SIGKILL')
    await gone(first)

    const second = await spawnWorker(at.server)
    const done = await until(at.server, at.session, { id, is: hasEnded })
    expect(done).toMatchObject({ state: 'done', resumed: 1 })
    expect(weightsOf(done)).toBe(at.unbroken)
    second.kill('SIGTERM')
    await gone(second)
  })
})

import type { RoundState } from '@neuroloom/contract/social/rounds'
import { describe, expect, it, vi } from 'vitest'
import { makeSync } from '../../src/features/social/rounds/round-sync.ts'

const at = (frame: number): RoundState => ({ frame })

function makeRound() {
  const sent: { stateCount: number; state: RoundState }[] = []
  const answers: ((count: number) => void)[] = []
  const sync = makeSync({
    pauseMs: 0,
    send: (news) => {
      sent.push(news)
      return new Promise((resolve) => answers.push(resolve))
    },
  })
  const seen: RoundState[] = []
  sync.hear((state) => seen.push(state))
  seen.length = 0
  return { sync, sent, seen, answer: (count: number) => answers.shift()?.(count) }
}

describe('whoever leads', () => {
  it('tells what was moved, one at a time, and what came meanwhile with the next', async () => {
    const { sync, sent, answer } = makeRound()
    sync.setMode('lead')
    sync.receive({ stateCount: 4, state: { plane: 'axial' } })
    sync.move(at(1))
    sync.move(at(2))
    sync.move({ window: { ends: [0, 80], span: 100 } })
    expect(sent).toEqual([{ stateCount: 5, state: { plane: 'axial', frame: 1 } }])
    answer(5)
    await vi.waitUntil(() => sent.length === 2)
    expect(sent[1]).toEqual({
      stateCount: 6,
      state: { plane: 'axial', frame: 2, window: { ends: [0, 80], span: 100 } },
    })
  })

  it('is not led back by the own news, heard before the answer came', () => {
    const { sync, seen } = makeRound()
    sync.setMode('lead')
    sync.move(at(1))
    seen.length = 0
    sync.receive({ stateCount: 1, state: at(1) })
    expect(seen).toEqual([])
  })
})

describe('whoever follows', () => {
  it('sees each newer state, and no older one', () => {
    const { sync, seen } = makeRound()
    sync.receive({ stateCount: 2, state: at(2) })
    sync.receive({ stateCount: 1, state: at(1) })
    sync.receive({ stateCount: 3, state: at(3) })
    expect(seen).toEqual([at(2), at(3)])
  })

  it('tells nothing and is brought back', () => {
    const { sync, sent, seen } = makeRound()
    sync.receive({ stateCount: 2, state: at(2) })
    sync.move(at(9))
    expect([sent, seen]).toEqual([[], [at(2), at(2)]])
  })

  it('looks around alone while not following, and then sees where the lead is', () => {
    const { sync, seen } = makeRound()
    sync.setMode('free')
    sync.move(at(9))
    sync.receive({ stateCount: 5, state: at(5) })
    expect(seen).toEqual([])
    sync.setMode('follow')
    expect(seen).toEqual([at(5)])
  })
})

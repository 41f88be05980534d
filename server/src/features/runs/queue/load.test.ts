import { describe, expect, it } from 'vitest'
import { createLoad } from './load.ts'

/** The system's mean of programs that want a core, second by second. */
function makeMachine() {
  let [mean, second, running] = [0, 0, 0]
  const load = createLoad({ wanted: () => mean, nowMs: () => second * 1000 })
  return {
    /** `others` and a run of so many threads for so long; what is told of others at the end. */
    pass(seconds: number, { others, own }: { others: number; own: number }): number {
      if (own !== running) load.others(own)
      running = own
      for (let passed = 0; passed < seconds; passed += 1) {
        second += 1
        mean += (others + own - mean) * (1 - Math.exp(-1 / 60))
      }
      return load.others(own)
    },
  }
}

describe('the load of others', () => {
  it('is nothing while a run computes alone, and right after it', () => {
    const machine = makeMachine()
    expect(machine.pass(300, { others: 0, own: 2 })).toBe(0)
    expect(machine.pass(10, { others: 0, own: 0 })).toBe(0)
    expect(machine.pass(60, { others: 0, own: 0 })).toBe(0)
  })

  it('is seen beside a run and without one', () => {
    const machine = makeMachine()
    expect(machine.pass(300, { others: 2, own: 0 })).toBeCloseTo(2, 1)
    expect(machine.pass(300, { others: 2, own: 2 })).toBeCloseTo(2, 1)
    expect(machine.pass(5, { others: 2, own: 0 })).toBeCloseTo(2, 1)
  })

  it('is forgotten when it ends', () => {
    const machine = makeMachine()
    machine.pass(300, { others: 4, own: 0 })
    expect(machine.pass(300, { others: 0, own: 2 })).toBe(0)
  })
})

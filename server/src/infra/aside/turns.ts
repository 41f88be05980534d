/** Whose turn it is at something that only a few may use at once: round robin by member, so that nobody takes the line. */
import { fail } from '../../http/fail.ts'

export type TurnLimits = {
  /** Of all members. */
  atOnce: number
  /** Of one member: one at a time, the others stand in line. */
  waiting: number
  /** Whoever has not had a turn by then is sent away. */
  waitMs: number
}

/** `own`: as many of the member's own stand in line as may. `others`: no turn came in time. */
export class NoTurn extends Error {
  readonly because: 'own' | 'others'

  constructor(because: 'own' | 'others') {
    super(`No turn: too many ${because}`)
    this.because = because
  }
}

export type Turns = {
  /** Waits for a turn of the member and does the work in it; rejects with `NoTurn`. */
  inTurn<Result>(memberId: string, work: () => Promise<Result>): Promise<Result>
}

type Line = { isWorking: boolean; waiting: (() => void)[] }

export function createTurns({ atOnce, waiting: mayWait, waitMs }: TurnLimits): Turns {
  // In the order of the map; a member who had a turn goes to its end.
  const lines = new Map<string, Line>()
  let working = 0

  const next = (): void => {
    if (working >= atOnce) return
    for (const line of lines.values()) {
      const begin = line.isWorking ? undefined : line.waiting.shift()
      if (!begin) continue
      line.isWorking = true
      working += 1
      begin()
      return
    }
  }
  const leave = (memberId: string, line: Line): void => {
    lines.delete(memberId)
    if (line.waiting.length > 0) lines.set(memberId, line)
    next()
  }

  return {
    async inTurn(memberId, work) {
      const line = lines.get(memberId) ?? { isWorking: false, waiting: [] }
      lines.set(memberId, line)
      if (line.isWorking && line.waiting.length >= mayWait) throw new NoTurn('own')
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          line.waiting.splice(line.waiting.indexOf(begin), 1)
          if (!line.isWorking && line.waiting.length === 0) lines.delete(memberId)
          reject(new NoTurn('others'))
        }, waitMs)
        const begin = (): void => {
          clearTimeout(timer)
          resolve()
        }
        line.waiting.push(begin)
        next()
      })
      try {
        return await work()
      } finally {
        working -= 1
        line.isWorking = false
        leave(memberId, line)
      }
    },
  }
}

/** As `turns.inTurn`; whoever gets no turn is told so as `too_much_at_once` or `busy`. */
export async function inTurnOrRefused<Result>(
  turns: Turns,
  memberId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await turns.inTurn(memberId, work)
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error
    throw fail(error.because === 'own' ? 'too_much_at_once' : 'busy')
  }
}

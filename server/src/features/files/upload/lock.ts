import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server'

type Line = { holder: RequestRelease; waiting: Turn[] }
type Turn = { come: () => void; giveUp: () => void }

/** How long a request waits for another one of the same upload to end. */
const WAIT_MS = 30_000

/**
 * One request at a time for each upload. A newcomer asks the holder to let go: mostly it is the same client, whose
 * line broke without the server noticing.
 */
export class UploadLocker implements Locker {
  private readonly lines = new Map<string, Line>()

  newLock(id: string): Lock {
    return {
      lock: (signal, requestRelease) => this.lock(id, signal, requestRelease),
      unlock: async () => this.unlock(id),
    }
  }

  private async lock(id: string, signal: AbortSignal, requestRelease: RequestRelease): Promise<void> {
    const line = this.lines.get(id)
    if (!line) {
      this.lines.set(id, { holder: requestRelease, waiting: [] })
      return
    }
    await Promise.all([this.wait(line, signal), line.holder()])
    line.holder = requestRelease
  }

  private wait(line: Line, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn: Turn = {
        come: () => {
          settle()
          resolve()
        },
        giveUp: () => {
          settle()
          line.waiting = line.waiting.filter((other) => other !== turn)
          reject(ERRORS.ERR_LOCK_TIMEOUT)
        },
      }
      const timer = setTimeout(turn.giveUp, WAIT_MS)
      const settle = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', turn.giveUp)
      }
      signal.addEventListener('abort', turn.giveUp)
      line.waiting.push(turn)
    })
  }

  private unlock(id: string): void {
    const next = this.lines.get(id)?.waiting.shift()
    if (next) next.come()
    else this.lines.delete(id)
  }
}

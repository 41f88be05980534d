/** How busy others keep this machine, told apart from what runs do to it. Reads the system's mean of a minute. */
import { loadavg } from 'node:os'

export type Load = {
  /** Programs of others that want a core; `ownThreads` is what the run under way computes with, 0 without one. */
  others(ownThreads: number): number
}

type Sources = {
  /** Programs that want a core, as a mean that forgets within a minute. */
  wanted: () => number
  nowMs: () => number
}

/** The system's mean forgets in this time; ours must do so too, to be taken from it. */
const MINUTE_MS = 60_000
/** The server, its database and a look at a page: not worth a word. */
const UNHEARD = 0.5

/** After a run the system's mean is high for a while: what is left of it in ours is no load of others. */
export function createLoad({ wanted, nowMs }: Sources = system): Load {
  let [own, since, threads] = [0, nowMs(), 0]
  return {
    others(ownThreads) {
      const now = nowMs()
      own = threads + (own - threads) * Math.exp((since - now) / MINUTE_MS)
      since = now
      threads = ownThreads
      const others = wanted() - own
      return others < UNHEARD ? 0 : others
    },
  }
}

const system: Sources = { wanted: () => loadavg()[0] ?? 0, nowMs: () => performance.now() }

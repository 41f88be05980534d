/** Whoever is being answered comes first: what calculates for minutes leaves the processor to the others. */
import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'

/** Of a process and of what it starts from now on; `nice` as the system counts it, 0 = like everybody. */
export function yieldToOthers({ pid }: ChildProcess, nice: number): void {
  try {
    if (pid !== undefined) setPriority(pid, nice)
  } catch {
    // Gone already, or a system that does not let us.
  }
}

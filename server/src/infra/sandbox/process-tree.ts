/** What a process and all that it started take of memory, as Linux tells it. */
import { readdirSync, readFileSync } from 'node:fs'

/** Resident bytes; pages that several share count for each of them. */
export function memoryOfTree(root: number): number {
  const parents = readParents()
  let bytes = 0
  for (const pid of parents.keys()) if (isBelow(pid, root, parents)) bytes += residentBytes(pid)
  return bytes
}

/** By process, who started it. */
function readParents(): Map<number, number> {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // The name of a program may hold spaces and brackets: what follows its last bracket counts.
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readOr(`/proc/${name}/stat`))?.[1]
    if (parent !== undefined) parents.set(Number(name), Number(parent))
  }
  return parents
}

function isBelow(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  let one: number | undefined = pid
  // Numbers are given again while this is read: a circle ends.
  for (let steps = 0; one !== undefined && steps < MOST_STEPS; steps += 1) {
    if (one === root) return true
    one = parents.get(one)
  }
  return false
}

const MOST_STEPS = 1000
const KIB = 1024

const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readOr(`/proc/${pid}/status`))?.[1] ?? 0) * KIB

/** Empty where the process has ended. */
function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

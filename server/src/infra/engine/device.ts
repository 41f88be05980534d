/** Finds out what this machine can compute on, by asking PyTorch itself. Decides nothing about runs. */
import { execFile } from 'node:child_process'
import { availableParallelism, totalmem } from 'node:os'
import { promisify } from 'node:util'
import * as z from 'zod'
import { type EngineSettings, engineEnvironment } from './process.ts'

export type Device = {
  kind: 'cpu' | 'cuda'
  index: number
  threads: number
  /** What a run may use. */
  memoryBytes: number
  /** Operations that a processor computes faster in 16 bits; missing in what an older worker told. */
  halfOps?: string[]
}

/** Share of the machine's memory that a run on the CPU may plan with: the rest is the database's and the server's. */
const CPU_SHARE = 0.7

const code = `
import json, torch
from neuroloom_engine.precision import half_ops
cuda = torch.cuda.is_available()
print(json.dumps({"cuda": cuda, "memory": torch.cuda.mem_get_info(0)[0] if cuda else 0, "halfOps": sorted(half_ops())}))
`

const answer = z.object({ cuda: z.boolean(), memory: z.number(), halfOps: z.array(z.string()) })

/** Null where PyTorch does not answer: missing, or the machine too busy this time. */
export async function probeDevice({ python, codeFolder, log }: EngineSettings): Promise<Device | null> {
  try {
    const options = { env: engineEnvironment(codeFolder), timeout: 120_000 }
    const { stdout } = await promisify(execFile)(python, ['-c', code], options)
    const { cuda, memory, halfOps } = answer.parse(JSON.parse(stdout))
    const threads = availableParallelism()
    return cuda ? { kind: 'cuda', index: 0, threads, memoryBytes: memory } : { ...plainProcessor(), halfOps }
  } catch (error) {
    log.error({ err: error, python }, 'PyTorch does not answer; runs will fail until it does')
    return null
  }
}

/** What is there in any case. */
export const plainProcessor = (): Device => ({
  kind: 'cpu',
  index: 0,
  threads: availableParallelism(),
  memoryBytes: cpuMemory(),
})

/** In a container the machine's memory says nothing, its own limit does. */
function cpuMemory(): number {
  const limit = process.constrainedMemory()
  const whole = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return Math.floor(whole * CPU_SHARE)
}

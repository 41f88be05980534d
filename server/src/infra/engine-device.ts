/** Finds out what this machine can compute on, by asking PyTorch itself. Decides nothing about runs. */
import { execFile } from 'node:child_process'
import { availableParallelism, totalmem } from 'node:os'
import { promisify } from 'node:util'
import * as z from 'zod'
import { type EngineSettings, engineEnvironment } from './engine-process.ts'

export type Device = {
  kind: 'cpu' | 'cuda'
  index: number
  threads: number
  /** What a run may use. */
  memoryBytes: number
}

/** Share of the machine's memory that a run on the CPU may plan with: the rest is the database's and the server's. */
const CPU_SHARE = 0.7

const code = `
import json, torch
cuda = torch.cuda.is_available()
print(json.dumps({"cuda": cuda, "memory": torch.cuda.mem_get_info(0)[0] if cuda else 0}))
`

export async function probeDevice({ python, codeFolder, log }: EngineSettings): Promise<Device> {
  const threads = availableParallelism()
  const cpu: Device = { kind: 'cpu', index: 0, threads, memoryBytes: cpuMemory() }
  try {
    const options = { env: engineEnvironment(codeFolder), timeout: 120_000 }
    const { stdout } = await promisify(execFile)(python, ['-c', code], options)
    const found = z.object({ cuda: z.boolean(), memory: z.number() }).parse(JSON.parse(stdout))
    return found.cuda ? { kind: 'cuda', index: 0, threads, memoryBytes: found.memory } : cpu
  } catch (error) {
    log.error({ err: error, python }, 'PyTorch cannot be imported; runs will fail')
    return cpu
  }
}

/** In a container the machine's memory says nothing, its own limit does. */
function cpuMemory(): number {
  const limit = process.constrainedMemory()
  const whole = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return Math.floor(whole * CPU_SHARE)
}

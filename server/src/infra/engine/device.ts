/** Finds out what this machine can compute on and how quickly, by asking PyTorch itself. Decides nothing about runs. */
import { execFile } from 'node:child_process'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { promisify } from 'node:util'
import { type Rates, ratesOf } from '@neuroloom/contract/forecast'
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
  /** Of the machine, which others use too; missing in what an older worker told. */
  cores?: number
  /** Measured after the start: what training steps cost here, in 32 bits and, where they gain by it, in 16. */
  rates?: DeviceRates
}
export type DeviceRates = { full: Rates; half: Rates | null }

/** Share of the machine's memory that a run on the CPU may plan with: the rest is the database's and the server's. */
const CPU_SHARE = 0.7

const code = `
import json, torch
from neuroloom_engine.precision import half_ops
cuda = torch.cuda.is_available()
print(json.dumps({"cuda": cuda, "memory": torch.cuda.mem_get_info(0)[0] if cuda else 0, "halfOps": sorted(half_ops())}))
`

const answer = z.object({ cuda: z.boolean(), memory: z.number(), halfOps: z.array(z.string()) })

const sampled = z.array(
  z.object({
    ...{ macs: z.number(), grouped: z.number(), elements: z.number(), calls: z.number() },
    ...{ weights: z.number(), seconds: z.number() },
  }),
)
const samples = z.object({ full: sampled, half: sampled.nullable() })

/**
 * What steps of small networks cost on the device, measured by the code that trains; null where that did not work, and
 * then forecasts reckon with a usual one.
 */
export async function probeRates(
  { python, codeFolder, log }: EngineSettings,
  device: Device,
  signal: AbortSignal,
): Promise<DeviceRates | null> {
  try {
    const options = { env: engineEnvironment(codeFolder), timeout: 300_000, signal }
    const asked = [device.kind, device.index, device.threads, device.halfOps?.length ?? 0].map(String)
    const { stdout } = await promisify(execFile)(python, ['-m', 'neuroloom_engine.rates', ...asked], options)
    const { full, half } = samples.parse(JSON.parse(stdout))
    return { full: ratesOf(full), half: half && ratesOf(half) }
  } catch (error) {
    if (!signal.aborted)
      log.warn(
        { err: error, python },
        'what steps cost could not be measured; forecasts reckon with a usual machine',
      )
    return null
  }
}

/** Null where PyTorch does not answer: missing, or the machine too busy this time. */
export async function probeDevice({ python, codeFolder, log }: EngineSettings): Promise<Device | null> {
  try {
    const options = { env: engineEnvironment(codeFolder), timeout: 120_000 }
    const { stdout } = await promisify(execFile)(python, ['-c', code], options)
    const { cuda, memory, halfOps } = answer.parse(JSON.parse(stdout))
    const threads = availableParallelism()
    const card = { kind: 'cuda', index: 0, threads, memoryBytes: memory, cores: coresOf() } as const
    return cuda ? card : { ...plainProcessor(), halfOps }
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
  cores: coresOf(),
})

/** Also those that this process may not use: the system's mean of programs counts them all. */
const coresOf = (): number => Math.max(1, cpus().length)

/** In a container the machine's memory says nothing, its own limit does. */
function cpuMemory(): number {
  const limit = process.constrainedMemory()
  const whole = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return Math.floor(whole * CPU_SHARE)
}

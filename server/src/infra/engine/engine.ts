/** Drives the Python engine: one warm process for the next run, light ones that check files. Knows no queue and no database. */
import { join } from 'node:path'
import type { FlowSpec, PrepareSpec } from '@neuroloom/contract/engine'
import type { FastifyBaseLogger } from 'fastify'
import { type CheckedFile, type CheckFile, type CheckOptions, checkFiles } from './check.ts'
import { type Device, type DeviceRates, plainProcessor, probeDevice, probeRates } from './device.ts'
import { doFlow, type FlowDone, type FlowOptions } from './flow.ts'
import { type Prepared, type PrepareFile, prepareFiles } from './prepare.ts'
import { type EngineChild, type EngineProcess, engineFolder, type OnEvent, spawnEngine } from './process.ts'

export type { CheckedFile, CheckFile, CheckOptions } from './check.ts'
export type { Device } from './device.ts'
export { FlowBroke, type FlowDone } from './flow.ts'
export type { Prepared, PrepareFile } from './prepare.ts'
export type { EngineExit, EngineProcess } from './process.ts'

export type Engine = {
  /** Starts the process that imports PyTorch ahead of the next run; does nothing when there is one. */
  warm(): void
  /** Resolves true once the warm process can take a run without waiting, false when it cannot start. */
  warmed(): Promise<boolean>
  /** Gives a laid-out run folder to the warm process, or to a new one. Events come one after the other. */
  start(runFolder: string, onEvent: OnEvent): EngineProcess
  /** Reads files as training would; one call of `onFile` for each, in order. Survives files that crash the reader. */
  check(
    files: CheckFile[],
    options: CheckOptions,
    onFile: (file: CheckedFile) => Promise<void> | void,
  ): Promise<void>
  /** Makes files of files; one call of `onFile` for each, in order. Survives files that crash the program. */
  prepare(
    work: PrepareSpec['work'],
    files: PrepareFile[],
    options: { signal: AbortSignal; onFile: (file: Prepared) => Promise<void> },
  ): Promise<void>
  /** Looks at files of flow, makes a study, or measures planes, in a folder of the caller's. */
  flow(work: FlowSpec['work'], options: FlowOptions): Promise<FlowDone>
  /**
   * What runs are computed on. Asked again as long as PyTorch does not answer, the plain processor meanwhile. How quick it
   * is stands there once `measure` is over.
   */
  device(): Promise<Device>
  /** Measures what training steps cost: a second or two of computing, once. */
  measure(): Promise<void>
  /** Ends the warm process. Runs are ended by whoever started them. */
  close(): void
}

export type EngineOptions = {
  python: string | undefined
  /** Where checks may put their folders; on the same disk as the store, so that thumbnails can be moved. */
  workFolder: string
  log: FastifyBaseLogger
}

export function createEngine({ python, workFolder, log }: EngineOptions): Engine {
  const settings = { python: python ?? 'python3', codeFolder: engineFolder, log }
  let spare: EngineChild | null = null
  let device: Promise<Device | null> | null = null
  let rates: Promise<DeviceRates | null> | null = null
  let known: DeviceRates | null = null
  const closing = new AbortController()
  let closed = false

  const warm = (): void => {
    if (closed || spare?.isAlive()) return
    spare = spawnEngine(settings, ['serve'])
  }
  const take = (): EngineChild => {
    const child = spare?.isAlive() ? spare : spawnEngine(settings, ['serve'])
    spare = null
    return child
  }

  return {
    warm,
    warmed: async () => (await spare?.ready) ?? false,
    start(runFolder, onEvent) {
      const child = take()
      child.give(runFolder, async (event) => {
        // The next one warms up when this one computes: before, it would steal its start-up time.
        if (event.type === 'progress') warm()
        await onEvent(event)
      })
      child.exited.then(warm, warm)
      return child
    },
    check: (files, options, onFile) =>
      checkFiles({ settings, workFolder: join(workFolder, 'checks'), files, options, onFile }),
    prepare: (work, files, options) =>
      prepareFiles({ settings, workFolder: join(workFolder, 'preparing'), work, files, ...options }),
    flow: (work, options) => doFlow(settings, work, options),
    async device() {
      device ??= probeDevice(settings)
      const found = await device
      if (!found) device = null
      return { ...(found ?? plainProcessor()), ...(known ? { rates: known } : {}) }
    },
    async measure() {
      rates ??= device?.then((found) => found && probeRates(settings, found, closing.signal)) ?? null
      known = await rates
    },
    close() {
      closed = true
      closing.abort()
      spare?.kill()
      spare = null
    },
  }
}

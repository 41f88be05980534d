/** Run folders for the engine without the product round it, and what the engine says of them. For the benches. */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type EngineEvent,
  engineEventSchema,
  type Manifest,
  type ManifestItem,
} from '@neuroloom/contract/engine'
import type { Hyper } from '@neuroloom/contract/suggest/hyper'
import { root } from '../e2e/stack.ts'

export type Case = {
  name: string
  network: string
  /** Of the network's own parameters, e.g. its width. */
  params?: Record<string, number>
  manifest: Manifest
  hyper: Partial<Hyper>
  size: number
  dataRoot: string
}

export const python = process.env.ENGINE_PYTHON ?? 'python3'
export const data = process.env.SHARED_DATA ?? join(root, '..', 'shared', 'data')

/** What makes a loop fast on a processor; peers get it too. */
export const environment = () => ({
  ...process.env,
  PYTHONPATH: join(root, 'engine'),
  OMP_NUM_THREADS: String(availableParallelism()),
  MALLOC_MMAP_THRESHOLD_: String(1024 ** 3),
  MALLOC_TRIM_THRESHOLD_: String(1024 ** 3),
})

/** As the product starts the engine: two halves of a batch run side by side, where waiting threads must not spin. */
export const engineEnvironment = () => ({ ...environment(), OMP_WAIT_POLICY: 'PASSIVE' })

export type Told = { events: EngineEvent[]; peakBytes: number }

/** What the engine printed of the run, and the most memory that it held; throws where it failed. */
export function runEngine(folder: string): Promise<Told> {
  return new Promise((resolve, reject) => {
    const child = spawn(python, ['-m', 'neuroloom_engine', 'serve'], {
      env: engineEnvironment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const events: EngineEvent[] = []
    let peakBytes = 0
    let rest = ''
    let isAsked = false
    child.stdout.on('data', (chunk) => {
      if (!isAsked) child.stdin.write(`${JSON.stringify({ command: 'run', folder })}\n`)
      isAsked = true
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.filter((text) => text.includes('"seq"'))) {
        const event = engineEventSchema.parse(JSON.parse(line))
        events.push(event)
        // Its process is there until the line after this one.
        if (child.pid !== undefined) peakBytes = Math.max(peakBytes, peakOf(child.pid))
      }
    })
    child.on('exit', (code) => {
      if (code === 0) resolve({ events, peakBytes })
      else reject(new Error(`the engine ended with ${code}: ${JSON.stringify(events.at(-2))}`))
    })
  })
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

export type Seconds = { train: number[]; validation: number[] }

/**
 * Seconds of each epoch. Its training ends with its `metrics` event of part `train`; validation, preview and checkpoint
 * up to the next epoch count as validation.
 */
export function secondsOf(events: readonly EngineEvent[]): Seconds {
  const seconds: Seconds = { train: [], validation: [] }
  let since: number | null = null
  for (const event of events) {
    const isPart = event.type === 'metrics' && event.split !== 'test'
    const isAfter =
      (event.type === 'preview' || event.type === 'checkpoint') &&
      seconds.validation.length > 0 &&
      seconds.train.length === seconds.validation.length
    if (event.type === 'phase' && event.phase === 'training') since = event.t
    if (since === null || !(isPart || isAfter)) continue
    const spent = (event.t - since) / 1000
    since = event.t
    if (isPart) seconds[event.split as 'train' | 'validation'].push(spent)
    else seconds.validation.push((seconds.validation.pop() ?? 0) + spent)
  }
  return seconds
}

/** Mean seconds of training and validation an epoch, without the first one. */
export function perEpoch({ train, validation }: Seconds): number {
  const sums = train.map((seconds, index) => seconds + (validation[index] ?? 0)).slice(1)
  return sums.reduce((sum, seconds) => sum + seconds, 0) / sums.length
}

/** A run folder ready for the engine, in the system's temporary folder. */
export function layOut(
  { name, network, params = {}, manifest, hyper, size, dataRoot }: Case,
  { epochs, seed = 7 }: { epochs: number; seed?: number },
): string {
  const folder = mkdtempSync(join(tmpdir(), `bench-${name}-`))
  mkdirSync(join(folder, 'out'))
  symlinkSync(dataRoot, join(folder, 'data'))
  const classes = manifest.classes.length
  const given = [
    ...(classes > 0 ? ['--classes', `${classes}`] : []),
    ...['--channels', `${manifest.channels}`, '--size', `${size}`],
    ...Object.entries(params).flatMap(([param, value]) => ['--param', `${param}=${value}`]),
  ]
  const plan = JSON.parse(
    execFileSync(process.execPath, [join(root, 'tools/plan.mjs'), network, ...given], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }),
  )
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  const spec = {
    ...{ v: 1, run: name, attempt: 1, kind: 'train', task: manifest.task, plan },
    planHash: createHash('sha256').update(JSON.stringify(plan)).digest('hex'),
    data: { manifest: 'manifest.json', root: 'data' },
    hyper: {
      ...{ ...commonHyper, epochs, seed, numClass: Math.max(1, classes), imageSize: [size, size] },
      ...hyper,
    },
    validation: { method: 'holdout', train: 4, test: 1, seed: 7 },
    device: { kind: 'cpu', index: 0, threads: availableParallelism(), memoryBytes: null },
    ...{ outputs: 'out', resume: null },
  }
  writeFileSync(join(folder, 'run.json'), JSON.stringify(spec))
  return folder
}

const commonHyper = {
  learningRate: 0.002,
  scheduler: 'onecycle',
  decayInterval: 10,
  decayRatio: 0.5,
  validationInterval: 1,
  optimizer: 'adamw',
  weightDecay: 0.01,
  depth: 1,
  augment: true,
  classWeights: false,
  patience: 0,
} satisfies Partial<Hyper>

/** MedNIST, or the brain tumours: a folder a class. */
export function classFolders(folder: string, { channels }: { channels: 1 | 3 }): Manifest & { root: string } {
  const dataRoot = join(data, folder)
  const classes = readdirSync(dataRoot, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  const items = classes.flatMap((name, index) =>
    readdirSync(join(dataRoot, name)).map((file) => itemOf(dataRoot, `${name}/${file}`, { class: index })),
  )
  return { ...manifestOf('classification', items), classes, channels, root: dataRoot }
}

/** Images with a picture of the same name each: masks, or larger ones. */
export function pairs(
  folder: string,
  facts: Pick<Manifest, 'task' | 'classes' | 'channels' | 'maskValues' | 'factor'>,
): Manifest & { root: string } {
  const dataRoot = join(data, folder)
  const items = readdirSync(join(dataRoot, 'images')).map((file) =>
    itemOf(dataRoot, `images/${file}`, { label: `labels/${file}` }),
  )
  return { ...manifestOf(facts.task, items), ...facts, root: dataRoot }
}

export const manifestOf = (task: Manifest['task'], items: ManifestItem[]): Manifest => ({
  ...{ v: 1, task, classes: [], channels: 3, maskValues: {}, factor: 1, items },
})

export const itemOf = (
  dataRoot: string,
  image: string,
  of: Partial<Pick<ManifestItem, 'label' | 'class' | 'boxes'>>,
): ManifestItem => ({
  // Ids become file names.
  id: image.replaceAll('/', '_'),
  name: image,
  image,
  ...{ label: null, class: null, labels: null, boxes: null, part: null },
  group: createHash('sha256')
    .update(readFileSync(join(dataRoot, image)))
    .digest('hex'),
  ...of,
})

export const nuclei = () =>
  pairs('segmentation-nuclei-dsb2018', {
    ...{ task: 'segmentation', classes: ['background', 'nucleus'], channels: 3 },
    ...{ maskValues: { 0: 0, 255: 1 }, factor: 1 },
  })

/** The middle one, and the least and the most. */
export function spread(values: readonly number[]): { median: number; least: number; most: number } {
  const sorted = [...values].sort((a, b) => a - b)
  const [least = Number.NaN] = sorted
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    least,
    most: sorted.at(-1) ?? Number.NaN,
  }
}

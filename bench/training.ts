/**
 * `npm run bench -- training`: the engine's epoch against a bare PyTorch loop on the same network, data, settings and
 * machine, alternating at least 7 times in one run; the median of the pairs' ratios is the figure (goal ≤ 1.05).
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Manifest } from '@neuroloom/contract/engine'
import type { Hyper } from '@neuroloom/contract/hyper'
import { root } from '../e2e/stack.ts'

type Case = {
  name: string
  network: string
  manifest: Manifest
  hyper: Partial<Hyper>
  size: number
  dataRoot: string
}
type Seconds = { train: number[]; validation: number[] }

const PAIRS = 7
const EPOCHS = 3
const python = process.env.ENGINE_PYTHON ?? 'python3'
const data = process.env.SHARED_DATA ?? join(root, '..', 'shared', 'data')

async function training(names: string[]) {
  if (!existsSync(data)) throw new Error(`no data sets at ${data}: set SHARED_DATA`)
  for (const one of [mednist(), nuclei()].filter(({ name }) => names.length === 0 || names.includes(name))) {
    await compare(one)
  }
}

/** Pairs in changing order, so that a slow minute of a shared machine falls on both. */
async function compare(one: Case) {
  const folder = layOut(one)
  const ratios: number[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    const first = pair % 2 === 0
    const engineBefore = first ? await engineEpoch(folder) : null
    const plain = plainEpoch(folder)
    const engine = engineBefore ?? (await engineEpoch(folder))
    ratios.push(engine / plain)
    console.log(
      `${one.name} ${pair + 1}/${PAIRS}: engine ${engine.toFixed(2)} s, bare loop ${plain.toFixed(2)} s an epoch`,
    )
  }
  rmSync(folder, { recursive: true })
  const sorted = [...ratios].sort((a, b) => a - b)
  const median = sorted[Math.floor(PAIRS / 2)] ?? Number.NaN
  const isReached = median <= 1.05
  console.log(
    `${one.name}, ${one.network}: epoch time engine : bare loop, median of ${PAIRS} pairs ${median.toFixed(3)} (${sorted[0]?.toFixed(3)}–${sorted.at(-1)?.toFixed(3)}; goal ≤ 1.05) ${isReached ? 'reached' : 'MISSED'}`,
  )
  if (!isReached) process.exitCode = 1
}

/** Seconds of training and validation an epoch, without the first one. */
const perEpoch = ({ train, validation }: Seconds): number => {
  const sums = train.map((seconds, index) => seconds + (validation[index] ?? 0)).slice(1)
  return sums.reduce((sum, seconds) => sum + seconds, 0) / sums.length
}

function plainEpoch(folder: string): number {
  const script = join(root, 'bench/training/plain_loop.py')
  return perEpoch(
    JSON.parse(
      execFileSync(python, [script, folder, String(EPOCHS)], { env: environment(), encoding: 'utf8' }),
    ),
  )
}

async function engineEpoch(folder: string): Promise<number> {
  rmSync(join(folder, 'out'), { recursive: true, force: true })
  const events = join(folder, 'events.ndjson')
  writeFileSync(events, await runEngine(folder))
  const script = join(root, 'bench/training/engine_epochs.py')
  return perEpoch(JSON.parse(execFileSync(python, [script, events], { encoding: 'utf8' })))
}

/** What the engine printed from the run command to its end. */
function runEngine(folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(python, ['-m', 'neuroloom_engine', 'serve'], {
      env: engineEnvironment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      if (output === '') child.stdin.write(`${JSON.stringify({ command: 'run', folder })}\n`)
      output += chunk
    })
    child.on('exit', (code) => {
      const events = output.split('\n').filter((line) => line.includes('"seq"'))
      if (code === 0) resolve(`${events.join('\n')}\n`)
      else reject(new Error(`the engine ended with ${code}: ${events.at(-2)}`))
    })
  })
}

/** What makes a loop fast on a processor; both get it. */
const environment = () => ({
  ...process.env,
  PYTHONPATH: join(root, 'engine'),
  OMP_NUM_THREADS: String(availableParallelism()),
  MALLOC_MMAP_THRESHOLD_: String(1024 ** 3),
  MALLOC_TRIM_THRESHOLD_: String(1024 ** 3),
})

/** As the product starts it: two halves of a batch run side by side, where waiting threads must not spin. */
const engineEnvironment = () => ({ ...environment(), OMP_WAIT_POLICY: 'PASSIVE' })

function layOut({ name, network, manifest, hyper, size, dataRoot }: Case): string {
  const folder = mkdtempSync(join(tmpdir(), `bench-${name}-`))
  mkdirSync(join(folder, 'out'))
  symlinkSync(dataRoot, join(folder, 'data'))
  const classes = manifest.classes.length
  const plan = JSON.parse(
    execFileSync(
      process.execPath,
      [
        join(root, 'tools/plan.mjs'),
        network,
        '--classes',
        `${classes}`,
        '--channels',
        `${manifest.channels}`,
        '--size',
        `${size}`,
      ],
      { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    ),
  )
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(
    join(folder, 'run.json'),
    JSON.stringify({
      v: 1,
      run: name,
      attempt: 1,
      kind: 'train',
      task: manifest.task,
      plan,
      planHash: createHash('sha256').update(JSON.stringify(plan)).digest('hex'),
      data: { manifest: 'manifest.json', root: 'data' },
      hyper: { ...commonHyper, numClass: classes, imageSize: [size, size], ...hyper },
      validation: { method: 'holdout', train: 4, test: 1, seed: 7 },
      device: { kind: 'cpu', index: 0, threads: availableParallelism(), memoryBytes: null },
      outputs: 'out',
      resume: null,
    }),
  )
  return folder
}

const commonHyper = {
  learningRate: 0.002,
  scheduler: 'onecycle',
  decayInterval: 10,
  decayRatio: 0.5,
  epochs: EPOCHS,
  validationInterval: 1,
  optimizer: 'adamw',
  weightDecay: 0.01,
  augment: true,
  classWeights: false,
  patience: 0,
  seed: 7,
} satisfies Partial<Hyper>

function mednist(): Case {
  const dataRoot = join(data, 'classification-mednist')
  const classes = readdirSync(dataRoot, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  const items = classes.flatMap((folder, index) =>
    readdirSync(join(dataRoot, folder)).map((file) =>
      item(`${folder}/${file}`, { label: null, class: index, dataRoot }),
    ),
  )
  const manifest: Manifest = {
    v: 1,
    task: 'classification',
    classes,
    channels: 1,
    maskValues: {},
    factor: 1,
    items,
  }
  return {
    name: 'mednist',
    network: 'small_resnet',
    manifest,
    hyper: { batchSize: 32, criterion: 'cross_entropy' },
    size: 64,
    dataRoot,
  }
}

function nuclei(): Case {
  const dataRoot = join(data, 'segmentation-nuclei-dsb2018')
  const items = readdirSync(join(dataRoot, 'images')).map((file) =>
    item(`images/${file}`, { label: `labels/${file}`, class: null, dataRoot }),
  )
  const manifest: Manifest = {
    v: 1,
    task: 'segmentation',
    classes: ['background', 'nucleus'],
    channels: 3,
    maskValues: { 0: 0, 255: 1 },
    factor: 1,
    items,
  }
  return {
    name: 'nuclei',
    network: 'unet_small',
    manifest,
    hyper: { batchSize: 8, criterion: 'ce_dice' },
    size: 128,
    dataRoot,
  }
}

const item = (
  image: string,
  { label, class: index, dataRoot }: { label: string | null; class: number | null; dataRoot: string },
) => ({
  // Ids become file names.
  id: image.replaceAll('/', '_'),
  name: image,
  image,
  label,
  class: index,
  ...{ labels: null, boxes: null, part: null },
  group: createHash('sha256')
    .update(readFileSync(join(dataRoot, image)))
    .digest('hex'),
})

await training(process.argv.slice(2))

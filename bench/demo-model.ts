/**
 * `npm run demo-model [-- --epochs 40]`: makes the front page's little network anew, with nothing but the engine: draws
 * pictures by the page's own code, trains the product's small U-Net through a run folder, tests it on new pictures,
 * compares the engine's overlap with the page's, and writes model/cells.onnx and model/measured.json.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { type EngineEvent, engineEventSchema, type Manifest, type RunSpec } from '@neuroloom/contract/engine'
import { planSchema } from '@neuroloom/contract/network/resolve/plan'
import type { Hyper } from '@neuroloom/contract/suggest/hyper'
import { root } from '../e2e/stack.ts'
import { encodePng } from '../server/src/demo/png.ts'
import { findCells, loadNetwork } from '../web/src/features/demo/inference.ts'
import { overlapOf } from '../web/src/features/demo/overlap.ts'
import { FIRST_NEW_SEED, maskOf, render, SIZE, someField } from '../web/src/features/demo/pictures.ts'
import { countRegions } from '../web/src/features/demo/regions.ts'

const TRAINING_PICTURES = 600
const NEW_PICTURES = 100
/** The file is loaded by visitors. */
const MAX_BYTES = 512_000
/** The page's way of reading a picture must give what the engine's gives. */
const MAX_DIFFERENCE = 0.001
const model = join(root, 'web/src/features/demo/model')
const python = process.env.ENGINE_PYTHON ?? 'python3'

async function demoModel(epochs: number) {
  const work = mkdtempSync(join(tmpdir(), 'demo-model-'))
  const newSeeds = Array.from({ length: NEW_PICTURES }, (_, index) => FIRST_NEW_SEED + index)
  const trainingSeeds = Array.from({ length: TRAINING_PICTURES }, (_, index) => 1 + index)
  const training = layOut(join(work, 'train'), trainingSeeds, { epochs })
  await runEngine(training)
  const testing = layOut(join(work, 'test'), newSeeds, { epochs, isTest: true })
  copyFileSync(join(training, 'out/weights.safetensors'), join(testing, 'weights.safetensors'))
  const engineDice = diceOf(await runEngine(testing))
  const onnx = readFileSync(join(training, 'out/model.onnx'))
  if (onnx.length > MAX_BYTES) throw new Error(`the network has ${onnx.length} bytes, more than ${MAX_BYTES}`)
  const measured = await measure(onnx, newSeeds)
  if (Math.abs(measured.dice - engineDice) > MAX_DIFFERENCE) {
    throw new Error(`the page measures ${measured.dice}, the engine ${engineDice}`)
  }
  writeFileSync(join(model, 'cells.onnx'), onnx)
  writeFileSync(join(model, 'measured.json'), `${JSON.stringify(measured, null, 2)}\n`)
  rmSync(work, { recursive: true })
  console.log(`cells.onnx: ${onnx.length} bytes; by the engine ${engineDice}; by the page`, measured)
}

/** What the page says of itself: overlap on pictures from seeds that were not trained on. */
async function measure(onnx: Uint8Array, seeds: number[]) {
  const session = await loadNetwork(onnx)
  const overlaps: number[] = []
  let exactCounts = 0
  for (const seed of seeds) {
    const field = someField(seed)
    const { probabilities } = await findCells(session, render(field), SIZE)
    const mask = maskOf(field)
    overlaps.push(overlapOf(probabilities, mask))
    if (countRegions(probabilities, SIZE) === countRegions(mask, SIZE)) exactCounts++
  }
  return {
    pictures: seeds.length,
    trainingPictures: TRAINING_PICTURES,
    dice: rounded(overlaps.reduce((sum, overlap) => sum + overlap, 0) / overlaps.length),
    worstDice: rounded(Math.min(...overlaps)),
    thresholdDice: bestThreshold(seeds),
    exactCounts,
  }
}

/** The best that one level of brightness for all pictures gets, chosen on these very pictures. */
function bestThreshold(seeds: number[]): number {
  const fields = seeds.map((seed) => someField(seed)).map((field) => [render(field), maskOf(field)] as const)
  const levels = Array.from({ length: 60 }, (_, index) => 20 + 3 * index)
  const means = levels.map(
    (level) =>
      fields.reduce((sum, [pixels, mask]) => sum + overlapOf(pixels, mask, level), 0) / fields.length,
  )
  return rounded(Math.max(...means))
}

/** A run folder as the server makes them, with pictures drawn from these seeds. */
function layOut(folder: string, seeds: number[], { epochs, isTest = false }: RunOptions): string {
  for (const part of ['data', 'out']) mkdirSync(join(folder, part), { recursive: true })
  for (const seed of seeds) {
    const field = someField(seed)
    write(join(folder, 'data', `${seed}.png`), Uint8Array.from(render(field)))
    write(
      join(folder, 'data', `${seed}-mask.png`),
      maskOf(field).map((value) => value * 255),
    )
  }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifestOf(seeds)))
  writeFileSync(join(folder, 'run.json'), JSON.stringify(specOf({ epochs, isTest })))
  return folder
}

type RunOptions = { epochs: number; isTest?: boolean }

const write = (path: string, pixels: Uint8Array) =>
  writeFileSync(path, encodePng({ width: SIZE, height: SIZE, pixels }))

const manifestOf = (seeds: number[]): Manifest => ({
  v: 1,
  task: 'segmentation',
  classes: ['background', 'cell'],
  channels: 1,
  maskValues: { 0: 0, 255: 1 },
  factor: 1,
  items: seeds.map((seed) => ({
    id: String(seed),
    name: `${seed}.png`,
    image: `${seed}.png`,
    label: `${seed}-mask.png`,
    class: null,
    ...{ labels: null, boxes: null, part: null },
    group: String(seed),
  })),
})

function specOf({ epochs, isTest }: RunOptions): RunSpec {
  const plan = planSchema.parse(
    JSON.parse(
      execFileSync(
        process.execPath,
        [join(root, 'tools/plan.mjs'), 'unet_small', ...planArguments.split(' ')],
        { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
      ),
    ),
  )
  const common = {
    v: 1,
    run: 'demo-model',
    attempt: 1,
    outputs: 'out',
    task: 'segmentation',
    plan,
    planHash: createHash('sha256').update(JSON.stringify(plan)).digest('hex'),
    data: { manifest: 'manifest.json', root: 'data' },
    hyper: { ...hyper, epochs },
    validation: { method: 'holdout', train: 9, test: 1, seed: 7 },
    device: { kind: 'cpu', index: 0, threads: availableParallelism(), memoryBytes: null },
  } as const
  return isTest
    ? { ...common, kind: 'test', weights: 'weights.safetensors', part: 'all' }
    : { ...common, kind: 'train', resume: null, start: null, startNames: {} }
}

/** A quarter of the small U-Net's width: a file of less than half a megabyte. */
const planArguments = '--classes 2 --channels 1 --size 192 --param width=8'

const hyper = {
  learningRate: 0.004,
  scheduler: 'onecycle',
  decayInterval: 10,
  decayRatio: 0.5,
  validationInterval: 2,
  batchSize: 8,
  optimizer: 'adamw',
  numClass: 2,
  criterion: 'ce_dice',
  weightDecay: 0.01,
  imageSize: [SIZE, SIZE],
  depth: 1,
  augment: true,
  classWeights: false,
  patience: 0,
  seed: 7,
} satisfies Omit<Hyper, 'epochs'>

/** Runs the engine on the folder and shows what it says; answers its events. */
async function runEngine(folder: string): Promise<EngineEvent[]> {
  const child = spawn(python, ['-m', 'neuroloom_engine', 'serve'], {
    env: engineEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const events: EngineEvent[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const { success, data: event } = engineEventSchema.safeParse(JSON.parse(line))
    // The first line says that torch is imported.
    if (!success) child.stdin.write(`${JSON.stringify({ command: 'run', folder })}\n`)
    else {
      events.push(event)
      tell(event)
    }
  }
  const end = events.at(-1)
  if (end?.type !== 'end' || end.state !== 'done')
    throw new Error(`the engine ended with ${JSON.stringify(end)}`)
  return events
}

const engineEnvironment = () => ({
  ...process.env,
  PYTHONPATH: join(root, 'engine'),
  OMP_NUM_THREADS: String(availableParallelism()),
  OMP_WAIT_POLICY: 'PASSIVE',
  MALLOC_MMAP_THRESHOLD_: '1000000000',
  MALLOC_TRIM_THRESHOLD_: '1000000000',
})

function tell(event: EngineEvent) {
  if (event.type === 'metrics' && event.split !== 'train') {
    console.log(`${event.split}, epoch ${event.epoch}: dice ${event.values.dice?.toFixed(4)}`)
  }
  if (event.type === 'error') console.error(event.code, event.data, event.trace)
}

function diceOf(events: EngineEvent[]): number {
  const [metrics] = events.filter((event) => event.type === 'metrics' && event.split === 'test')
  const dice = metrics?.type === 'metrics' ? metrics.values.dice : null
  if (dice === null || dice === undefined) throw new Error('the engine measured no overlap')
  return rounded(dice)
}

const rounded = (value: number) => Math.round(10_000 * value) / 10_000

const { values } = parseArgs({ options: { epochs: { type: 'string', default: '40' } } })
await demoModel(Number(values.epochs))

/**
 * `npm run bench -- peers`: the engine against loops as users write them (`bench/peers/*.py`), each with all cores, on
 * the same pictures in the same run. Parts: `segmentation classification super_resolution detection` (seconds an epoch
 * and memory, 7 alternations), `equal` (the scores of both after as many epochs, seeds 1–3) and `dice` (time to a Dice
 * of 0.90 on the nuclei with the product's settings against the U-Net of 31 million weights), and `prediction` (networks
 * applied to all pictures of these sets, against plain torch). Without a name: all.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Box } from '@neuroloom/contract/engine'
import { effort } from '@neuroloom/contract/suggest/suggest-task'
import { root } from '../e2e/stack.ts'
import { readVoc } from '../server/src/features/datasets/recognise/boxes/voc-reader.ts'
import {
  type Case,
  classFolders,
  data,
  engineEnvironment,
  environment,
  itemOf,
  layOut,
  manifestOf,
  nuclei,
  pairs,
  perEpoch,
  python,
  runEngine,
  type Seconds,
  secondsOf,
  spread,
} from './engine-run.ts'

type Peer = Case & { loop: string; flags: string[]; goal: number; metric: string; epochs: number }
type SideTold = { run: number; passes: number[]; difference?: number }
type LoopTold = Seconds & { scores: number[]; reached: number | null; peakBytes: number }

const ALTERNATIONS = Number(process.env.BENCH_ALTERNATIONS ?? 7)
const TIMED_EPOCHS = 3
const SEEDS = [1, 2, 3]
const MEMORY_GOAL = 1.15
const DICE = { wanted: 0.9, goal: 0.25 }
/** Plain torch takes this many times as long. */
const PREDICTION = { goal: 1.5, difference: 1e-5 }

async function peers(names: string[]) {
  if (!existsSync(data)) throw new Error(`no data sets at ${data}: set SHARED_DATA`)
  const isWanted = (name: string): boolean => names.length === 0 || names.includes(name)
  const all = cases()
  for (const peer of all.filter(({ name }) => isWanted(name))) await compareSpeed(peer)
  if (isWanted('equal')) for (const peer of all) await compareScores(peer)
  if (isWanted('dice')) await timeToDice()
  if (isWanted('prediction')) for (const peer of all) comparePrediction(peer)
}

/** Whole runs, with reading and saving, and passes of one batch alone; each side in a process of its own. */
function comparePrediction(peer: Peer) {
  const folder = layOut(peer, { epochs: 1 })
  const side = (name: 'engine' | 'loop'): SideTold =>
    runPython('predict_side', [folder, name], name === 'engine' ? engineEnvironment() : environment())
  const runs: number[] = []
  const passes: number[] = []
  let difference = 0
  try {
    for (let pair = 0; pair < ALTERNATIONS; pair++) {
      const before = pair % 2 === 0 ? side('engine') : null
      const loop = side('loop')
      const own = before ?? side('engine')
      runs.push(own.run / loop.run)
      passes.push(spread(own.passes).median / spread(loop.passes).median)
      difference = Math.max(difference, own.difference ?? Number.NaN)
      console.log(
        `${peer.network} ${pair + 1}/${ALTERNATIONS}: engine ${own.run.toFixed(2)} s all pictures, loop ${loop.run.toFixed(2)} s`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  const goal = 1 / PREDICTION.goal
  tell(`${peer.network}: a batch through the network engine : torch`, passes, goal)
  tell(`${peer.network}: all pictures engine : loop`, runs, goal)
  const isAlike = difference <= PREDICTION.difference
  console.log(`${peer.network}: largest difference ${difference.toExponential(1)} ${verdict(isAlike)}`)
  if (!isAlike) process.exitCode = 1
}

/** Pairs in changing order, so that a slow minute of a shared machine falls on both. */
async function compareSpeed(peer: Peer) {
  const times: number[] = []
  const memories: number[] = []
  for (let pair = 0; pair < ALTERNATIONS; pair++) {
    const before = pair % 2 === 0 ? await engine(peer, { epochs: TIMED_EPOCHS }) : null
    const loop = plain(peer, { epochs: TIMED_EPOCHS })
    const own = before ?? (await engine(peer, { epochs: TIMED_EPOCHS }))
    times.push(perEpoch(own) / perEpoch(loop))
    memories.push(own.peakBytes / loop.peakBytes)
    console.log(
      `${peer.name} ${pair + 1}/${ALTERNATIONS}: engine ${perEpoch(own).toFixed(2)} s an epoch, ${megabytes(own)}; loop ${perEpoch(loop).toFixed(2)} s, ${megabytes(loop)}`,
    )
  }
  tell(`${peer.name}, ${peer.network}: epoch time engine : loop`, times, peer.goal)
  tell(`${peer.name}: memory engine : loop`, memories, MEMORY_GOAL)
}

/** Speed counts only at an equal result: the last validation score of as many epochs. */
async function compareScores(peer: Peer) {
  const own: number[] = []
  const loops: number[] = []
  for (const seed of SEEDS) {
    own.push((await engine(peer, { epochs: peer.epochs, seed })).scores.at(-1) ?? Number.NaN)
    loops.push(plain(peer, { epochs: peer.epochs, seed }).scores.at(-1) ?? Number.NaN)
  }
  const list = (scores: readonly number[]): string => scores.map((score) => score.toFixed(3)).join(', ')
  console.log(
    `${peer.name}: ${peer.metric} after ${peer.epochs} epochs, seeds ${SEEDS.join(', ')}: engine ${list(own)}; loop ${list(loops)}`,
  )
}

/** The loop is given four times the engine's time: where it has not arrived by then, the goal is reached. */
async function timeToDice() {
  const { steps, rate, batch, criterion } = effort.segmentation
  const { root: dataRoot, ...manifest } = nuclei()
  const stepsAnEpoch = Math.ceil((manifest.items.length * 0.64) / batch)
  const own: Case = {
    ...{ name: 'dice', network: 'unet_small', manifest, dataRoot, size: 128 },
    hyper: { batchSize: batch, criterion, learningRate: rate, mixedPrecision: true },
  }
  const folder = layOut(own, { epochs: Math.min(100, Math.ceil(steps / stepsAnEpoch)) })
  try {
    const { events } = await runEngine(folder)
    const begun = events.find((event) => event.type === 'phase' && event.phase === 'training')?.t ?? 0
    const arrived = events.find(
      (event) =>
        event.type === 'metrics' && event.split === 'validation' && (event.values.dice ?? 0) >= DICE.wanted,
    )
    if (!arrived) {
      console.log(`dice: the engine never reached ${DICE.wanted} MISSED`)
      process.exitCode = 1
      return
    }
    const seconds = (arrived.t - begun) / 1000
    const limit = seconds / DICE.goal
    const loop = runLoop('unet_loop', folder, [
      ...['--epochs', '1000', '--seconds', `${limit}`, '--until', `${DICE.wanted}`],
    ])
    const told =
      loop.reached === null
        ? `not within ${limit.toFixed(0)} s (best ${Math.max(...loop.scores).toFixed(3)} in ${loop.scores.length} epochs)`
        : `${loop.reached.toFixed(0)} s, ratio ${(seconds / loop.reached).toFixed(2)}`
    const isReached = loop.reached === null || seconds / loop.reached <= DICE.goal
    console.log(
      `time to a validation Dice of ${DICE.wanted}: engine ${seconds.toFixed(0)} s; U-Net of 31 million weights ${told}; goal ≤ ${DICE.goal} ${verdict(isReached)}`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function engine(peer: Peer, rounds: { epochs: number; seed?: number }) {
  const folder = layOut(peer, rounds)
  try {
    const { events, peakBytes } = await runEngine(folder)
    const scores = events.flatMap((event) =>
      event.type === 'metrics' && event.split === 'validation'
        ? [event.values[peer.metric] ?? Number.NaN]
        : [],
    )
    return { ...secondsOf(events), scores, peakBytes }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function plain(peer: Peer, { epochs, seed = 7 }: { epochs: number; seed?: number }): LoopTold {
  const folder = layOut(peer, { epochs, seed })
  try {
    return runLoop(peer.loop, folder, ['--epochs', `${epochs}`, '--seed', `${seed}`, ...peer.flags])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const runLoop = (loop: string, folder: string, flags: string[]): LoopTold =>
  runPython(loop, [folder, ...flags])

const runPython = (script: string, flags: string[], env = environment()) =>
  JSON.parse(
    execFileSync(python, [join(root, 'bench/peers', `${script}.py`), ...flags], {
      env,
      encoding: 'utf8',
    }),
  )

function cases(): Peer[] {
  const { root: cells, ...nucleus } = nuclei()
  const { root: heads, ...tumours } = classFolders('classification-braintumor-mri', { channels: 3 })
  const { root: brains, ...enlarged } = pairs('superresolution-brainmri-x2', {
    ...{ task: 'super_resolution', classes: [], channels: 1, maskValues: {}, factor: 2 },
  })
  const { root: blood, ...boxed } = bloodCells()
  // As the product suggests it: where the processor is quick with it, else the engine leaves it out.
  const own = { mixedPrecision: true } as const
  const sgd = { ...own, optimizer: 'sgd', scheduler: 'constant', learningRate: 0.01 } as const
  const adam = {
    ...own,
    optimizer: 'adam',
    scheduler: 'constant',
    learningRate: 0.001,
    weightDecay: 0,
  } as const
  return [
    {
      ...{ name: 'segmentation', network: 'unet', params: { width: 16 }, manifest: nucleus, dataRoot: cells },
      ...{ size: 128, hyper: { ...adam, batchSize: 8, criterion: 'ce_dice' } },
      ...{ loop: 'unet_loop', flags: ['--width', '16'], goal: 0.7, metric: 'dice', epochs: 20 },
    },
    {
      ...{ name: 'classification', network: 'resnet18', manifest: tumours, dataRoot: heads, size: 224 },
      hyper: { ...sgd, batchSize: 16, criterion: 'cross_entropy', weightDecay: 1e-4 },
      ...{ loop: 'resnet_loop', flags: [], goal: 0.75, metric: 'accuracy', epochs: 8 },
    },
    {
      ...{ name: 'super_resolution', network: 'espcn', params: { factor: 2 }, manifest: enlarged },
      ...{ dataRoot: brains, size: 24, hyper: { ...adam, batchSize: 16, criterion: 'l1' } },
      ...{ loop: 'espcn_loop', flags: [], goal: 0.8, metric: 'psnr', epochs: 20 },
    },
    {
      ...{ name: 'detection', network: 'yolo_small', manifest: boxed, dataRoot: blood, size: 320 },
      hyper: { ...sgd, batchSize: 8, criterion: 'boxes', weightDecay: 0 },
      ...{ loop: 'detector_loop', flags: [], goal: 0.8, metric: 'loss', epochs: 8 },
    },
  ]
}

/** The blood cells with their Pascal VOC boxes. */
function bloodCells() {
  const dataRoot = join(data, 'detection-bccd')
  const texts = readdirSync(join(dataRoot, 'annotations')).map((file) => ({
    image: `images/${basename(file, '.xml')}.jpg`,
    read: readVoc(readFileSync(join(dataRoot, 'annotations', file), 'utf8')),
  }))
  const found = texts.flatMap(({ image, read }) =>
    'line' in read || !existsSync(join(dataRoot, image)) ? [] : [{ image, objects: read.objects }],
  )
  const classes = [...new Set(found.flatMap(({ objects }) => objects.map(({ name }) => name)))].sort()
  const items = found.flatMap(({ image, objects }) => {
    const boxes: Box[] = objects
      .map(({ name, ...corners }) => ({ class: classes.indexOf(name), ...corners }))
      .filter(({ x0, y0, x1, y1 }) => x1 > x0 && y1 > y0)
    return boxes.length === objects.length ? [itemOf(dataRoot, image, { boxes })] : []
  })
  return { ...manifestOf('detection', items), classes, root: dataRoot }
}

function tell(what: string, ratios: readonly number[], goal: number) {
  const { median, least, most } = spread(ratios)
  console.log(
    `${what}, median of ${ratios.length}: ${median.toFixed(3)} (${least.toFixed(3)}–${most.toFixed(3)}; goal ≤ ${goal.toFixed(2)}) ${verdict(median <= goal)}`,
  )
  if (median > goal) process.exitCode = 1
}

const verdict = (isReached: boolean): string => (isReached ? 'reached' : 'MISSED')
const megabytes = ({ peakBytes }: { peakBytes: number }): string => `${Math.round(peakBytes / 1e6)} MB`

await peers(process.argv.slice(2))

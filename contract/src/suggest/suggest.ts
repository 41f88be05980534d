/**
 * Chooses all settings of a training run from facts about the data, the network's cost and the device, and says why.
 * Pure: the same facts give the same settings on every machine of a kind. The numbers were measured on real sets.
 */

import { builtInNetworks } from '../built-in-networks.ts'
import type { DataFacts } from '../datasets.ts'
import { training } from '../limits.ts'
import { BASE_BYTES, largestBatch, trainingMemory } from '../network/resolve/memory.ts'
import type { Plan } from '../network/resolve/plan.ts'
import { singleNorm } from '../network/resolve/single-norm.ts'
import type { Suggestion } from '../runs.ts'
import { axesOf, isRestoration, type Task } from '../task.ts'
import { type Hyper, hyperSchema, type Validation } from './hyper.ts'
import { casesOf, isFewAside, keptBy } from './parts.ts'
import { dataCautions } from './suggest-cautions.ts'
import { chooseImageSize } from './suggest-size.ts'
import { effort } from './suggest-task.ts'

export type Capacity = {
  kind: 'cpu' | 'cuda'
  threads: number
  /** What a run may use; null = unknown. */
  memoryBytes: number | null
  /** Operations that a processor computes faster in 16 bits; graphics cards compute all so. */
  halfOps?: readonly string[]
}

export type Facts = {
  task: Task
  classes: readonly string[]
  facts: DataFacts
  /** The member's choice, or null. */
  network: string | null
  device: Capacity
  /** The network's plan for data of this kind; null when it does not fit. */
  planFor: (network: string, data: NetworkData) => Plan | null
  /** The size nearest to `size` that the network works with; without it, any. */
  sizeFor?: (network: string, data: NetworkData) => readonly number[]
}

/** What a network is built for. */
export type NetworkData = {
  /** Left out where no classes are told apart. */
  classes?: number
  channels: 1 | 3
  /** Height and width; of volumes depth, height and width. */
  size: readonly number[]
  factor?: number
}

export type Chosen = Omit<Suggestion, 'mayTune' | 'forecastSeconds' | 'forecastIsSure'>
type Reason = Suggestion['reasons'][number]

/**
 * Multiply-adds a second that a training step gets through: a core of 2020 beside other work (12e9 measured), one that
 * computes in 16 bits (21e9 measured), a GPU.
 */
const MACS_A_SECOND = { cpu: 1e10, half: 2e10, cuda: 1e12 } as const
/** A step costs three passes: forward, and two for the gradients. */
const PASSES = 3
const SEED = 7
const USUAL_RATIO = { train: 4, test: 1 }

/** Sides up to this are for the network that looks at every pixel. */
const SMALL_SIDE = 112
/** A deep network learns fewer by heart: of 240 brain images ResNet-18 named 0.51 rightly, the light one 0.75. */
const MANY_ITEMS = 2000
/** Above so many times the usual patience a deep network is not offered of itself. */
const TOO_LONG = 4
/** They learn images at half of that size in minutes. */
const light: ReadonlySet<string> = new Set(['small_resnet', 'resnet18_small'])
/** A class so many times rarer than another is weighed up. */
const IMBALANCE = 3
/** Small data are varied during training; hundreds of thousands vary enough by themselves. */
const AUGMENT_BELOW = 100_000
/** Validations of one run: often enough to watch it learn, seldom enough to cost little. */
const VALIDATIONS = 20

/** Everything that a run needs, with a reason for each choice and what stands in the way. */
export function suggest(facts: Facts): Chosen {
  const network = chooseNetwork(facts)
  const wanted = chooseImageSize(facts.task, facts.facts, { isLight: light.has(network.id) })
  const channels = facts.facts.channels
  const data = networkData(facts, wanted)
  const size = fitted(wanted, facts.sizeFor?.(network.id, data) ?? data.size)
  const plan = facts.planFor(network.id, networkData(facts, size))
  const validation = chooseValidation(facts)
  const batch = chooseBatch(facts, plan)
  const rounds = chooseEpochs(facts, { plan, batchSize: batch.batchSize })
  const hyper: Hyper = hyperSchema.parse({
    ...constants(facts.task),
    ...rounds.hyper,
    batchSize: batch.batchSize,
    numClass: classesOf(facts),
    imageSize: size.imageSize,
    depth: size.depth,
    augment: facts.facts.items < AUGMENT_BELOW,
    classWeights: isPerImage(facts.task) && ratioOf(facts.facts.classCounts) >= IMBALANCE,
    ...(gainsByHalf(facts.device, plan) ? { mixedPrecision: true } : {}),
  })
  const memory = plan ? memoryOf(plan, hyper) : 0
  return {
    network: network.id,
    hyper,
    validation,
    crossValidation: chooseCross(facts),
    reasons: [
      ...network.reasons,
      size.reason,
      { field: 'channels', reason: channels === 1 ? 'channels_grey' : 'channels_colour', params: {} },
      batch.reason,
      ...rounds.reasons,
      ...otherReasons(facts, hyper),
    ],
    blockers: blockersOf(facts, { network: network.id, plan, memory, batchSize: batch.batchSize }),
    cautions: cautionsOf(facts),
    parameters: plan?.learn ?? 0,
    memoryBytes: memory,
    deviceMemoryBytes: facts.device.memoryBytes,
    largestBatch: plan ? largestBatchOf(facts.device, plan, hyper.optimizer) : null,
  }
}

function gainsByHalf({ kind, halfOps = [] }: Capacity, plan: Plan | null): boolean {
  if (kind === 'cuda') return true
  return halfOps.length > 0 && plan !== null && plan.nodes.every(({ op }) => halfOps.includes(op))
}

/** Classes of whole images, whose balance can be put right by weights. */
const isPerImage = (task: Task): boolean => task === 'classification' || task === 'multilabel'

/** Segmentation tells something from the background at least; detection may look for one thing alone. */
function classesOf({ task, classes }: Pick<Facts, 'task' | 'classes'>): number {
  if (isRestoration(task)) return 1
  return Math.max(task === 'detection' ? 1 : 2, classes.length)
}

/** What a network of the task is built for, with crops or images of this size. */
export function networkData(
  { task, classes, facts: { channels, factor } }: Pick<Facts, 'task' | 'classes' | 'facts'>,
  { imageSize, depth }: Pick<Hyper, 'imageSize' | 'depth'>,
): NetworkData {
  return {
    ...(isRestoration(task) ? {} : { classes: classesOf({ task, classes }) }),
    channels,
    size: axesOf(task) === 3 ? [depth, ...imageSize] : imageSize,
    ...(task === 'super_resolution' && factor !== null ? { factor } : {}),
  }
}

/** A drawn network may work with certain sizes alone. */
function fitted(wanted: ReturnType<typeof chooseImageSize>, size: readonly number[]): typeof wanted {
  const [height = 1, width = 1] = size.slice(-2)
  const depth = size.length === 3 ? (size[0] ?? 1) : 1
  if (height === wanted.imageSize[0] && width === wanted.imageSize[1] && depth === wanted.depth) return wanted
  const reason = { field: 'imageSize', reason: 'size_network', params: { width, height } }
  return { imageSize: [height, width], depth, reason }
}

/** Whoever made the data set knows best what is to be kept aside. */
const chooseValidation = ({ facts: { given } }: Facts): Validation =>
  given !== null && given.train > 0 && given.test > 0
    ? { method: 'given', seed: SEED }
    : { method: 'holdout', ...USUAL_RATIO, seed: SEED }

/** Where a single split would keep little aside: each picture tested once. What it costs is told beside it. */
function chooseCross({ task, facts }: Facts): Chosen['crossValidation'] {
  if (facts.given !== null && facts.given.train > 0 && facts.given.test > 0) return null
  const splits = training.crossSplits
  const kept = keptBy(facts, USUAL_RATIO)
  const fewest = Math.min(casesOf(facts), ...(isPerImage(task) ? facts.classCounts : []))
  if (!isFewAside(kept) || fewest < splits) return null
  return { splits, seed: SEED }
}

/** Bytes that training takes, the program itself included. */
export const memoryOf = (
  plan: Plan,
  { optimizer, batchSize }: Pick<Hyper, 'optimizer' | 'batchSize'>,
): number => Math.ceil(BASE_BYTES + trainingMemory(plan, { optimizer, batchSize }).totalBytes)

/** How many times more frequent the most frequent class is than the rarest. */
function ratioOf(counts: readonly number[]): number {
  const rarest = Math.min(...counts)
  return counts.length === 0 || rarest <= 0 ? 1 : Math.round((Math.max(...counts) / rarest) * 10) / 10
}

type Picked = { id: string; reasons: Reason[] }

function chooseNetwork(facts: Facts): Picked {
  const { task, network } = facts
  if (network !== null) return { id: network, reasons: [] }
  const [first, second = first, third = second]: readonly [string, ...string[]] = builtInNetworks[task]
  const choice = (id: string, reason: string, params: Reason['params'] = {}): Picked => ({
    id,
    reasons: [{ field: 'network', reason, params }],
  })
  if (!isPerImage(task)) return choice(first, `network_${task}`)
  const whole = chooseImageSize(task, facts.facts)
  const side = Math.max(...whole.imageSize)
  if (side <= SMALL_SIDE) return choice(first, 'network_small_images', { side })
  const { items } = facts.facts
  if (items < MANY_ITEMS) return choice(second, 'network_few_images', { items })
  const plan = facts.planFor(third, networkData(facts, whole))
  const { wanted: epochs, secondsAnEpoch } = lengthOf(facts, { plan, ...chooseBatch(facts, plan) })
  const isSlow = epochs * secondsAnEpoch > TOO_LONG * effort[task].seconds
  return isSlow ? choice(second, 'network_slow_device') : choice(third, 'network_large_images', { side })
}

/** The usual batch; less for few items, so that an epoch has some steps, and for little memory. */
function chooseBatch(
  { task, facts, device }: Facts,
  plan: Plan | null,
): { batchSize: number; reason: Reason } {
  const usual = effort[task].batch
  // Below 8 the statistics of batch normalisation are rough, and the engine does not halve a batch over the cores.
  const small = Math.max(Math.min(8, usual), powerOfTwo(facts.items / 12))
  const fits = plan ? (largestBatchOf(device, plan, 'adamw') ?? usual) : usual
  const batchSize = Math.max(1, Math.min(usual, small, powerOfTwo(fits)))
  const reason = (name: string, params: Reason['params'] = {}) => ({
    batchSize,
    reason: { field: 'batchSize', reason: name, params: { batch: batchSize, ...params } },
  })
  if (batchSize < Math.min(usual, small)) return reason('batch_memory')
  return batchSize < usual ? reason('batch_small_data', { items: facts.items }) : reason('batch_usual')
}

const powerOfTwo = (limit: number): number => 2 ** Math.floor(Math.log2(Math.max(1, limit)))

/** The most samples of a batch that the device holds, at most what a form takes; 0 where not even one fits, null = unknown. */
export function largestBatchOf(
  device: Pick<Capacity, 'memoryBytes'>,
  plan: Plan,
  optimizer: Hyper['optimizer'],
): number | null {
  if (device.memoryBytes === null) return null
  const freeBytes = device.memoryBytes - BASE_BYTES
  return Math.min(1024, largestBatch(plan, { optimizer, freeBytes }))
}

/** The epochs that bring the network to its level, and what they cost on the device. */
function lengthOf(
  { task, facts, device }: Pick<Facts, 'task' | 'facts' | 'device'>,
  { plan, batchSize }: { plan: Plan | null; batchSize: number },
) {
  const { steps, fewest, most, draws = 1 } = effort[task]
  // Of the items, 4:1 are for training, and of these again a part for validation.
  const trained = Math.max(1, facts.items * 0.64) * draws
  const stepsAnEpoch = Math.max(1, Math.ceil(trained / batchSize))
  const wanted = clamp(Math.ceil(steps / stepsAnEpoch), { least: fewest, most })
  const macsASecond =
    device.kind === 'cuda'
      ? MACS_A_SECOND.cuda
      : device.threads * MACS_A_SECOND[gainsByHalf(device, plan) ? 'half' : 'cpu']
  const secondsAnEpoch = plan ? (trained * plan.macs * PASSES) / macsASecond : 0
  return { wanted, stepsAnEpoch, secondsAnEpoch }
}

/** Enough steps for few data, bounded time for many; then when to look. */
function chooseEpochs(
  { task, facts, device }: Facts,
  { plan, batchSize }: { plan: Plan | null; batchSize: number },
): {
  hyper: Pick<Hyper, 'epochs' | 'validationInterval' | 'patience'>
  seconds: number
  reasons: Reason[]
} {
  const { seconds, fewest } = effort[task]
  const { wanted, stepsAnEpoch, secondsAnEpoch } = lengthOf({ task, facts, device }, { plan, batchSize })
  const affordable = Math.max(fewest, Math.floor(seconds / Math.max(secondsAnEpoch, 1e-9)))
  const epochs = Math.min(wanted, affordable)
  const validationInterval = Math.max(1, Math.round(epochs / VALIDATIONS))
  const minutes = Math.max(1, Math.round((epochs * secondsAnEpoch) / 60))
  const validations = Math.ceil(epochs / validationInterval)
  const why: Reason =
    epochs < wanted
      ? { field: 'epochs', reason: 'epochs_time', params: { epochs, minutes } }
      : { field: 'epochs', reason: 'epochs_enough', params: { epochs, steps: epochs * stepsAnEpoch } }
  return {
    // One-cycle finds its best weights when the rate has come down: an early end would miss them.
    hyper: { epochs, validationInterval, patience: 0 },
    seconds: epochs * secondsAnEpoch,
    reasons: [
      why,
      {
        field: 'validationInterval',
        reason: 'interval_previews',
        params: { interval: validationInterval, validations },
      },
      { field: 'patience', reason: 'patience_off', params: {} },
    ],
  }
}

const clamp = (value: number, { least, most }: { least: number; most: number }): number =>
  Math.min(most, Math.max(least, value))

function constants(task: Task) {
  const { rate, criterion, weightDecay, labelSmoothing } = effort[task]
  return {
    learningRate: rate,
    scheduler: 'onecycle' as const,
    decayInterval: 10,
    decayRatio: 0.5,
    optimizer: 'adamw' as const,
    criterion,
    weightDecay,
    ...(labelSmoothing === undefined ? {} : { labelSmoothing }),
    seed: SEED,
  }
}

function otherReasons({ task, facts, device }: Facts, hyper: Hyper): Reason[] {
  const { items } = facts
  const ratio = ratioOf(facts.classCounts)
  const reason = (field: string, name: string, params: Reason['params'] = {}): Reason => ({
    field,
    reason: name,
    params,
  })
  return [
    reason('learningRate', 'rate_onecycle', { learningRate: hyper.learningRate }),
    reason('criterion', `criterion_${effort[task].criterion}`),
    ...(hyper.labelSmoothing ? [reason('labelSmoothing', 'smoothing_sure')] : []),
    hyper.classWeights
      ? reason('classWeights', 'weights_imbalanced', { ratio })
      : reason('classWeights', 'weights_balanced'),
    ...(hyper.mixedPrecision ? [reason('mixedPrecision', `mixed_${device.kind}`)] : []),
    reason('augment', hyper.augment ? 'augment_small' : 'augment_off', { items }),
    facts.given !== null && facts.given.train > 0 && facts.given.test > 0
      ? reason('validation', 'given_parts', { testItems: facts.given.test })
      : reason('validation', 'holdout_usual', { train: 4, test: 1, testItems: Math.round(items / 5) }),
  ]
}

function blockersOf(
  { task, classes, facts, device }: Facts,
  {
    network,
    plan,
    memory,
    batchSize,
  }: { network: string; plan: Plan | null; memory: number; batchSize: number },
): Chosen['blockers'] {
  const blockers: Chosen['blockers'] = []
  const fewest = isRestoration(task) ? 0 : task === 'detection' ? 1 : 2
  if (classes.length < fewest) blockers.push({ name: 'labels_too_few', params: {} })
  const rarest = isPerImage(task) ? Math.min(...facts.classCounts) : Number.POSITIVE_INFINITY
  const need = isRestoration(task) ? training.minPairs : training.minItems
  if (facts.items < need) {
    blockers.push({ name: 'data_too_few', params: { have: facts.items, need } })
  } else if (rarest < training.minPerClass) {
    blockers.push({ name: 'data_too_few', params: { have: rarest, need: training.minPerClass } })
  }
  const isGiven = facts.given !== null && facts.given.train > 0 && facts.given.test > 0
  const cases = casesOf(facts)
  if (facts.patients !== null && !isGiven && cases < training.minCases) {
    blockers.push({ name: 'cases_too_few', params: { have: cases, need: training.minCases } })
  }
  if (plan === null) blockers.push({ name: 'network_unfit', params: { network } })
  if (device.memoryBytes !== null && memory > device.memoryBytes) {
    blockers.push({ name: 'memory_exceeded', params: { needBytes: memory, haveBytes: device.memoryBytes } })
  }
  const alone = plan ? normAlone(plan, batchSize) : null
  if (alone !== null) blockers.push({ name: 'batch_too_small', params: { node: alone } })
  return blockers
}

/** The batch norm that cannot be trained with so few pictures at a time; null where all can. */
export const normAlone = (plan: Plan, batchSize: number): string | null =>
  batchSize === 1 ? (singleNorm(plan)?.id ?? null) : null

function cautionsOf({ task, classes, facts }: Facts): Chosen['cautions'] {
  const cautions: Chosen['cautions'] = []
  // Other tasks learn from every pixel; there it is pictures that must not be few.
  const counts = isPerImage(task) ? facts.classCounts : [facts.items]
  const fewest = Math.min(...counts)
  if (fewest < training.fewPerClass && !isRestoration(task)) {
    const name = (isPerImage(task) ? classes[counts.indexOf(fewest)] : classes.at(-1)) ?? ''
    const params = { class: name, count: fewest, wanted: training.fewPerClass }
    cautions.push({ name: 'few_per_class', params })
  }
  const ratio = ratioOf(facts.classCounts)
  if (isPerImage(task) && ratio >= IMBALANCE) cautions.push({ name: 'imbalanced', params: { ratio } })
  return [...cautions, ...dataCautions({ task, classes, facts })]
}

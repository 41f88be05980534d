/** A trained network, run on one picture by the browser's own processor: everything that is done to the picture, and what
 * the answer means. Draws nothing. */
import type { ExportedFacts } from '@neuroloom/contract/exported'
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm'
import { type FoundBox, foundBoxes } from './boxes.ts'
import { TryFailure } from './failure.ts'
import { cut, layoutOf, type Planes, partOf } from './maps.ts'
import { readFacts, requireInput } from './onnx-file.ts'
import { asBytes, asStored, type Picture, topOf } from './picture.ts'
import { fitInto, resize } from './resize.ts'

export type Network = { session: InferenceSession; facts: ExportedFacts }

export type Answer =
  /** Of classes that exclude each other, and of labels each by itself. */
  | { kind: 'classes' | 'labels'; probabilities: number[] }
  /** The likeliest class of each pixel. */
  | { kind: 'areas'; width: number; height: number; classes: Uint8Array }
  | { kind: 'boxes'; boxes: FoundBox[] }
  | { kind: 'picture'; picture: Picture }

/** Told after each tile of a large picture. */
export type OnPart = (done: number, of: number) => void

/** Browsers give one page some gigabytes; a network needs several times its own size. */
const MOST_NETWORK_BYTES = 600_000_000
/** What two planes of numbers and a canvas can still hold. */
const MOST_ANSWER_PIXELS = 64_000_000

/** Takes the bytes for its own. */
export async function openNetwork(file: Uint8Array): Promise<Network> {
  if (file.length > MOST_NETWORK_BYTES) throw new TryFailure('network_too_large')
  const facts = readFacts(file)
  if (facts === null || facts.input.shape.length !== 4) throw new TryFailure('network_broken')
  if (facts.moments) requireInput(file, facts.moments.name)
  // More threads need headers that keep other pages out.
  env.wasm.numThreads = 1
  // Errors alone: it warns of the value that `requireInput` left unused.
  return { session: await InferenceSession.create(file, { logSeverityLevel: 3 }), facts }
}

export async function answerOf(network: Network, picture: Picture, onPart?: OnPart): Promise<Answer> {
  const { task } = network.facts
  switch (task) {
    case 'classification':
    case 'multilabel':
      return nameIt(network, picture)
    case 'segmentation':
      return outlineIt(network, picture, onPart)
    case 'detection':
      return frameIt(network, picture)
    case 'super_resolution':
    case 'denoising':
      return restoreIt(network, picture, onPart)
    case 'volume_segmentation':
      throw new TryFailure('volume')
  }
}

async function nameIt(network: Network, picture: Picture): Promise<Answer> {
  const { task, channels, imageSize } = network.facts
  const [height = 1, width = 1] = imageSize
  const { values } = await run(network, planesOf(resize(asBytes(picture, channels), height, width)))
  return { kind: task === 'multilabel' ? 'labels' : 'classes', probabilities: [...values] }
}

async function frameIt(network: Network, picture: Picture): Promise<Answer> {
  const { channels, imageSize, outputs } = network.facts
  const [height = 1, width = 1] = imageSize
  const fitted = fitInto(asBytes(picture, channels), height, width)
  const { boxes, scores } = await feed(network, planesOf(fitted.picture))
  const about = outputs.find(({ name }) => name === 'scores')
  if (!boxes || !scores) throw new TryFailure('network_broken')
  const found = foundBoxes({
    ...{ boxes: floats(boxes), scores: floats(scores), classes: scores.dims[2] ?? 1 },
    ...{ scale: fitted.scale, size: picture, least: about?.least ?? 0.01, mostOverlap: about?.nms ?? 0.6 },
  })
  return { kind: 'boxes', boxes: found }
}

async function outlineIt(network: Network, picture: Picture, onPart?: OnPart): Promise<Answer> {
  const planes = planesOf(asBytes(picture, network.facts.channels))
  const moments = momentsOf(planes)
  const { width, height } = picture
  const classes = new Uint8Array(width * height)
  const work = { planes, moments, factor: 1, ...(onPart ? { onPart } : {}) }
  await overTiles(network, work, (answer, part) => {
    const plane = answer.width * answer.height
    for (let y = 0; y < part.height; y++) {
      for (let x = 0; x < part.width; x++) {
        const from = (part.fromY + y) * answer.width + part.fromX + x
        let [best, likeliest] = [-1, 0]
        for (let index = 0; index < answer.channels; index++) {
          const sure = answer.values[index * plane + from] ?? 0
          if (sure > best) [best, likeliest] = [sure, index]
        }
        classes[(part.top + y) * width + part.left + x] = likeliest
      }
    }
  })
  return { kind: 'areas', width, height, classes }
}

async function restoreIt(network: Network, picture: Picture, onPart?: OnPart): Promise<Answer> {
  const { channels, outputs } = network.facts
  const factor = outputs[0]?.factor ?? 1
  const size = { width: picture.width * factor, height: picture.height * factor }
  if (size.width * size.height > MOST_ANSWER_PIXELS) throw new TryFailure('answer_too_large')
  const stored = asStored(picture, channels)
  const top = topOf(stored)
  const length = size.width * size.height * channels
  const levels = top === 255 ? new Uint8Array(length) : new Uint16Array(length)
  const work = { planes: planesOf(stored), moments: null, factor, ...(onPart ? { onPart } : {}) }
  await overTiles(network, work, (answer, part) => {
    for (let channel = 0; channel < channels; channel++) {
      for (let y = 0; y < part.height; y++) {
        const from = (channel * answer.height + part.fromY + y) * answer.width + part.fromX
        const to = (part.top + y) * size.width + part.left
        for (let x = 0; x < part.width; x++) {
          const value = Math.min(1, Math.max(0, answer.values[from + x] ?? 0))
          levels[(to + x) * channels + channel] = Math.round(value * top)
        }
      }
    }
  })
  return { kind: 'picture', picture: { ...size, channels, levels } }
}

type Work = { planes: Planes; moments: [number, number] | null; factor: number; onPart?: OnPart }

async function overTiles(
  network: Network,
  { planes, moments, factor, onPart }: Work,
  take: (answer: Planes, part: ReturnType<typeof partOf>) => void,
): Promise<void> {
  const layout = layoutOf(planes, network.facts, factor)
  for (const [index, tile] of layout.tiles.entries()) {
    const answer = await run(network, cut(planes, tile), moments)
    take(answer, partOf(tile, layout, { factor, size: planes }))
    onPart?.(index + 1, layout.tiles.length)
  }
}

/** The network's one answer; of pictures as planes. */
async function run(
  network: Network,
  planes: Planes,
  moments: [number, number] | null = null,
): Promise<Planes> {
  const answers = await feed(network, planes, moments)
  const answer = answers[network.facts.outputs[0]?.name ?? '']
  if (!answer) throw new TryFailure('network_broken')
  const [, channels = 1, height = 1, width = 1] = answer.dims
  return { channels, height, width, values: floats(answer) }
}

function feed({ session, facts }: Network, planes: Planes, moments: [number, number] | null = null) {
  const { channels, height, width, values } = planes
  const image = new Tensor('float32', values, [1, channels, height, width])
  if (!facts.moments) return session.run({ image })
  // Zeros: by those of the picture that is given.
  const given = new Tensor('float32', Float32Array.from(moments ?? [0, 0]), [2])
  return session.run({ image, [facts.moments.name]: given })
}

function floats({ data }: Tensor): Float32Array {
  if (!(data instanceof Float32Array)) throw new TryFailure('network_broken')
  return data
}

/** Levels from 0 to 1, plane by plane. */
function planesOf(picture: Picture): Planes {
  const { channels, width, height, levels } = picture
  const top = topOf(picture)
  const plane = width * height
  const values = new Float32Array(plane * channels)
  for (let channel = 0; channel < channels; channel++) {
    for (let at = 0; at < plane; at++)
      values[channel * plane + at] = (levels[at * channels + channel] ?? 0) / top
  }
  return { channels, width, height, values }
}

/** Mean and deviation over pixels and channels alike. */
function momentsOf({ values }: Planes): [number, number] {
  let [sum, squares] = [0, 0]
  for (const value of values) {
    sum += value
    squares += value * value
  }
  const mean = sum / values.length
  // Above 0 also of a picture of one colour: 0 would mean "none given".
  return [mean, Math.max(1e-6, Math.sqrt(Math.max(0, squares / values.length - mean * mean)))]
}

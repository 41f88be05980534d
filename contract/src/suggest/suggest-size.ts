/** Chooses the size that images are brought to or cropped to for training; knows nothing of networks. */
import type { DataFacts } from '../datasets.ts'
import type { Suggestion } from '../runs.ts'
import type { Task } from '../task.ts'

type Choice = { imageSize: [number, number]; depth: number; reason: Suggestion['reasons'][number] }

/** Every built-in network halves the size at most four times; such sizes are halved without a rest. */
const MULTIPLE = 16
/** Whole images: below, too little is left after the halvings; above, a processor takes too long. */
const whole = { least: 32, most: 224 }
/** For networks that are to learn in minutes, from few images. */
const light = { least: 32, most: 128 }
/** Crops: enough surroundings to tell a structure by; twice the side costs four times as much for hardly more. */
const crop = { least: 32, most: 128 }

/** Small surroundings are enough to sharpen by, and noise is told from detail by a few more. */
const fine = { super_resolution: 24, denoising: 32 }
/** Whole images in which things must be found: the smallest of them need some pixels. */
const found = { least: 128, most: 320 }
/** Crops of volumes: a cube of this side costs as much as a large image. */
const cube = { least: 16, most: 64 }

export function chooseImageSize(
  task: Task,
  { width, height, depth }: DataFacts,
  { isLight = false } = {},
): Choice {
  const [tall, wide] = [height.median, width.median]
  switch (task) {
    case 'classification':
    case 'multilabel':
      return wholeSize([tall, wide], isLight ? light : whole)
    case 'detection':
      return wholeSize([tall, wide], found)
    case 'segmentation':
      return cropSize([tall, wide], crop)
    case 'volume_segmentation':
      return cubeSize([depth?.median ?? 1, tall, wide])
    case 'super_resolution':
    case 'denoising':
      return cropSize([tall, wide], { least: 16, most: fine[task] })
  }
}

/** Near the median, keeping its shape. */
type Bounds = { least: number; most: number }

function wholeSize([medianHeight, medianWidth]: [number, number], { least, most }: Bounds): Choice {
  const shrink = Math.min(1, most / Math.max(medianHeight, medianWidth))
  const side = (length: number): number => Math.max(least, toMultiple(length * shrink))
  const [height, width] = [side(medianHeight), side(medianWidth)]
  const area = height * width
  const before = medianHeight * medianWidth
  const params = { width, height, medianWidth, medianHeight }
  const isNear = [height - medianHeight, width - medianWidth].every((gap) => Math.abs(gap) <= MULTIPLE / 2)
  if (isNear) return choice([height, width], 'size_kept', { width, height })
  return choice([height, width], area < before ? 'size_reduced' : 'size_raised', params)
}

function cropSize([medianHeight, medianWidth]: [number, number], { least, most }: Bounds): Choice {
  const side = (length: number): number => Math.min(most, Math.max(least, toMultiple(length)))
  const [height, width] = [side(medianHeight), side(medianWidth)]
  return choice([height, width], 'size_crop', { width, height })
}

function cubeSize(median: [number, number, number]): Choice {
  const side = (length: number): number => Math.min(cube.most, Math.max(cube.least, toMultiple(length)))
  const [depth, height, width] = [side(median[0]), side(median[1]), side(median[2])]
  const reason = { field: 'imageSize', reason: 'size_cube', params: { width, height, depth } }
  return { imageSize: [height, width], depth, reason }
}

const toMultiple = (length: number): number => Math.round(length / MULTIPLE) * MULTIPLE

const choice = (imageSize: [number, number], reason: string, params: Choice['reason']['params']): Choice => ({
  imageSize,
  depth: 1,
  reason: { field: 'imageSize', reason, params },
})

/** Chooses the size that images are brought to or cropped to for training; knows nothing of networks. */
import type { DataFacts } from './datasets.ts'
import type { Suggestion } from './runs.ts'
import type { Task } from './task.ts'

type Choice = { imageSize: [number, number]; reason: Suggestion['reasons'][number] }

/** Every built-in network halves the size at most four times; such sizes are halved without a rest. */
const MULTIPLE = 16
/** Whole images: below, too little is left after the halvings; above, a processor takes too long. */
const whole = { least: 32, most: 224 }
/** Crops: enough surroundings to tell a structure by; twice the side costs four times as much for hardly more. */
const crop = { least: 32, most: 128 }

export function chooseImageSize(task: Task, { width, height }: DataFacts): Choice {
  return task === 'classification'
    ? wholeSize(height.median, width.median)
    : cropSize(height.median, width.median)
}

/** Near the median, keeping its shape. */
function wholeSize(medianHeight: number, medianWidth: number): Choice {
  const shrink = Math.min(1, whole.most / Math.max(medianHeight, medianWidth))
  const side = (length: number): number => Math.max(whole.least, toMultiple(length * shrink))
  const [height, width] = [side(medianHeight), side(medianWidth)]
  const area = height * width
  const before = medianHeight * medianWidth
  const params = { width, height, medianWidth, medianHeight }
  const isNear = [height - medianHeight, width - medianWidth].every((gap) => Math.abs(gap) <= MULTIPLE / 2)
  if (isNear) return choice([height, width], 'size_kept', { width, height })
  return choice([height, width], area < before ? 'size_reduced' : 'size_raised', params)
}

function cropSize(medianHeight: number, medianWidth: number): Choice {
  const side = (length: number): number => Math.min(crop.most, Math.max(crop.least, toMultiple(length)))
  const [height, width] = [side(medianHeight), side(medianWidth)]
  return choice([height, width], 'size_crop', { width, height })
}

const toMultiple = (length: number): number => Math.round(length / MULTIPLE) * MULTIPLE

const choice = (imageSize: [number, number], reason: string, params: Choice['reason']['params']): Choice => ({
  imageSize,
  reason: { field: 'imageSize', reason, params },
})

import type { Suggestion } from '@neuroloom/contract/runs'
import type { Hyper, Validation } from '@neuroloom/contract/suggest/hyper'
import { hyperRanges } from '@neuroloom/contract/suggest/hyper-ranges'
import type { Task } from '@neuroloom/contract/task'

/** What the form holds: every number may be empty while it is typed. */
export type Draft = Omit<
  { [K in keyof Hyper]: Hyper[K] | (Exclude<Hyper[K], undefined> extends number ? null : never) },
  'imageSize'
> & {
  imageHeight: number | null
  imageWidth: number | null
  method: Validation['method']
  trainShare: number | null
  testShare: number | null
  splits: number | null
}
export type DraftField = keyof Draft

export type FieldError = { key: 'required' | 'whole' | 'range'; min: number; max: number }

const usual = { trainShare: 4, testShare: 1, splits: 5 } as const

export function draftOf({ hyper, validation }: Pick<Suggestion, 'hyper' | 'validation'>): Draft {
  const { imageSize, ...rest } = hyper
  const holdout = validation.method === 'holdout' ? validation : null
  return {
    ...rest,
    imageHeight: imageSize[0],
    imageWidth: imageSize[1],
    method: validation.method,
    trainShare: holdout?.train ?? usual.trainShare,
    testShare: holdout?.test ?? usual.testShare,
    splits: validation.method === 'kfold' ? validation.splits : usual.splits,
  }
}

const whole: Record<string, { min: number; max: number }> = {
  decayInterval: hyperRanges.decayInterval,
  epochs: hyperRanges.epochs,
  validationInterval: hyperRanges.validationInterval,
  batchSize: hyperRanges.batchSize,
  depth: hyperRanges.depth,
  patience: hyperRanges.patience,
  seed: hyperRanges.seed,
  imageHeight: hyperRanges.imageSize,
  imageWidth: hyperRanges.imageSize,
  trainShare: hyperRanges.ratio,
  testShare: hyperRanges.ratio,
  splits: hyperRanges.splits,
}
const fractional: Record<string, { min: number; max: number }> = {
  learningRate: hyperRanges.learningRate,
  decayRatio: hyperRanges.decayRatio,
  weightDecay: hyperRanges.weightDecay,
  labelSmoothing: hyperRanges.labelSmoothing,
}

/** Fields that the present choices make use of; the others are shown switched off and never stop a start. */
export function isUsed(field: DraftField, draft: Draft): boolean {
  switch (field) {
    case 'decayInterval':
      return draft.scheduler === 'step' || draft.scheduler === 'plateau'
    case 'decayRatio':
      return ['step', 'exponential', 'plateau'].includes(draft.scheduler)
    case 'trainShare':
    case 'testShare':
      return draft.method === 'holdout'
    case 'splits':
      return draft.method === 'kfold'
    case 'labelSmoothing':
      return draft.criterion === 'cross_entropy'
    default:
      return true
  }
}

/** Settings that mean nothing to some tasks are not shown there. */
export function isOfTask(field: string, task: Task): boolean {
  switch (field) {
    case 'depth':
      return task === 'volume_segmentation'
    case 'classWeights':
      return task === 'classification' || task === 'multilabel'
    case 'numClass':
      return task !== 'super_resolution' && task !== 'denoising'
    default:
      return true
  }
}

export function rangeOf(field: DraftField): { min: number; max: number } | null {
  return whole[field] ?? fractional[field] ?? null
}

export function errorsOf(draft: Draft): Partial<Record<DraftField, FieldError>> {
  const errors: Partial<Record<DraftField, FieldError>> = {}
  for (const [field, value] of entriesOf(draft)) {
    const range = rangeOf(field)
    if (!range || !isUsed(field, draft)) continue
    if (typeof value !== 'number') errors[field] = { key: 'required', ...range }
    else if (value < range.min || value > range.max) errors[field] = { key: 'range', ...range }
    else if (field in whole && !Number.isInteger(value)) errors[field] = { key: 'whole', ...range }
  }
  return errors
}

export const isChanged = (field: DraftField, draft: Draft, suggested: Draft): boolean =>
  isUsed(field, draft) && draft[field] !== suggested[field]

/** What is sent with `runs/start`: only what differs from the suggestion, so that untouched settings stay the server's. */
export function changesOf(
  draft: Draft,
  suggestion: Pick<Suggestion, 'hyper' | 'validation'>,
): { hyper: Partial<Hyper>; validation: Validation | null } {
  const suggested = draftOf(suggestion)
  const { method, trainShare, testShare, splits, imageHeight, imageWidth, ...plain } = draft
  const changed = entriesOf(plain).filter(
    ([field, value]) => value !== null && isChanged(field, draft, suggested),
  )
  // The keys and values come from a draft whose numbers errorsOf has found present and in range.
  const hyper = Object.fromEntries(changed) as Partial<Hyper>
  const sizeChanged = imageHeight !== suggested.imageHeight || imageWidth !== suggested.imageWidth
  if (sizeChanged && imageHeight !== null && imageWidth !== null) hyper.imageSize = [imageHeight, imageWidth]
  const fields = ['method', 'trainShare', 'testShare', 'splits'] as const
  const validationChanged = fields.some((field) => isChanged(field, draft, suggested))
  return { hyper, validation: validationChanged ? validationOf(draft, suggestion.validation.seed) : null }
}

function validationOf({ method, trainShare, testShare, splits }: Draft, seed: number): Validation {
  if (method === 'given') return { method, seed }
  if (method === 'kfold') return { method, splits: splits ?? usual.splits, seed }
  return { method, train: trainShare ?? usual.trainShare, test: testShare ?? usual.testShare, seed }
}

/** Object.entries with the field names kept: a draft has no keys beyond its type. */
const entriesOf = (draft: Partial<Draft>) => Object.entries(draft) as [DraftField, Draft[DraftField]][]

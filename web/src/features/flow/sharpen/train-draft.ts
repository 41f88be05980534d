/** What a training is asked, while a person settles it: numbers may be empty or wrong here. Pure. */
import { type FlowTrain, flowTrainStart } from '@neuroloom/contract/flow/sharpen'
import { flowSharpening as limits } from '@neuroloom/contract/flow/sharpening-limits'

export const numberFields = ['flows', 'epochs', 'seed'] as const
export type NumberField = (typeof numberFields)[number]

export type TrainDraft = { network: string } & Record<NumberField, number | null>

export const startDraft: TrainDraft = flowTrainStart

export const ranges = {
  flows: { min: limits.leastFlows, max: limits.flows },
  epochs: { min: 1, max: limits.epochs },
  seed: { min: 0, max: limits.seed },
} as const satisfies Record<NumberField, { min: number; max: number }>

export function isWrong(draft: TrainDraft, field: NumberField): boolean {
  const { min, max } = ranges[field]
  const value = draft[field]
  return value === null || !Number.isInteger(value) || value < min || value > max
}

/** Null while a number is wrong. */
export function askedOf(draft: TrainDraft): FlowTrain | null {
  const { network, flows, epochs, seed } = draft
  if (flows === null || epochs === null || seed === null) return null
  return numberFields.some((field) => isWrong(draft, field)) ? null : { network, flows, epochs, seed }
}

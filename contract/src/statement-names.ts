/** Names of what only people know of a study. Free of schemas, so that pages can carry it. */
import type { ProjectTask } from './task.ts'

/** Of a project whose networks learn, in the order in which they are asked; they answer items of the CLAIM checklist (`claim.ts`). */
export const learnedStatements = [
  'background',
  'aims',
  'design',
  'goal',
  'sources',
  'eligibility',
  'deidentification',
  'missing',
  'acquisition',
  'reference',
  'rationale',
  'readers',
  'testLabels',
  'variability',
  'sampleSize',
  'demographics',
  'ethics',
  'limitations',
  'implications',
  'protocol',
  'availability',
  'funding',
] as const

/** Of a project of 4D flow, likewise; they answer items of its own checklist (`flow/checklist.ts`). */
export const flowStatements = [
  'aims',
  'design',
  'eligibility',
  'demographics',
  'ethics',
  'scanner',
  'fieldStrength',
  'coil',
  'contrast',
  'sequence',
  'encoding',
  'trajectory',
  'acquired',
  'pulse',
  'gating',
  'breathing',
  'acceleration',
  'scanTime',
  'atScanner',
  'readers',
  'variability',
  'validation',
  'limitations',
  'availability',
  'funding',
] as const

/** All that can be answered. */
export const statements = [...learnedStatements, ...flowStatements] as const

/** What is asked of a project of this task. */
export const askedOf = (
  task: ProjectTask,
): readonly ((typeof learnedStatements)[number] | (typeof flowStatements)[number])[] =>
  task === 'flow' ? flowStatements : learnedStatements

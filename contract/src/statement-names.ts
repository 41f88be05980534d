/** Names of what only people know of a study. Free of schemas, so that pages can carry it. */

/** In the order in which they are asked. Behind each, its items of the CLAIM checklist (`claim.ts`). */
export const statements = [
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

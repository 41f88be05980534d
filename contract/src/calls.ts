/** Every call of the product by its path below `AI/api/`. */
import type * as z from 'zod'
import { accountCalls } from './accounts/accounts.ts'
import { memberCalls } from './accounts/members.ts'
import { signUpCalls } from './accounts/sign-up.ts'
import { compareCalls } from './compare.ts'
import { conversionCalls } from './conversions.ts'
import { datasetCalls } from './datasets.ts'
import { deidentificationCalls } from './deidentification.ts'
import { exampleCalls } from './examples.ts'
import { cloudCalls, fileCalls } from './files.ts'
import { groupCalls } from './groups.ts'
import { networkCalls } from './networks.ts'
import { planCalls } from './plans.ts'
import { predictionCalls } from './predictions.ts'
import { projectCalls } from './projects.ts'
import { reportCalls } from './reports.ts'
import { runCalls } from './runs.ts'
import { searchCalls } from './search.ts'
import { sharingCalls } from './sharing.ts'
import { siteCalls } from './site.ts'
import { uploadCalls } from './uploads.ts'
import { viewCalls } from './viewing.ts'

export const calls = {
  ...accountCalls,
  ...memberCalls,
  ...planCalls,
  ...signUpCalls,
  ...fileCalls,
  ...cloudCalls,
  ...deidentificationCalls,
  ...uploadCalls,
  ...viewCalls,
  ...conversionCalls,
  ...sharingCalls,
  ...groupCalls,
  ...projectCalls,
  ...datasetCalls,
  ...networkCalls,
  ...runCalls,
  ...predictionCalls,
  ...compareCalls,
  ...exampleCalls,
  ...reportCalls,
  ...searchCalls,
  ...siteCalls,
}

export type Calls = typeof calls
export type Path = keyof Calls
/** What a caller sends (defaults may be left out). */
export type Body<P extends Path> = z.input<Calls[P]['request']>
/** What a handler gets (parsed). */
export type Parsed<P extends Path> = z.output<Calls[P]['request']>
export type Answer<P extends Path> = z.output<Calls[P]['response']>

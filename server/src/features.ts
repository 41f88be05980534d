/**
 * All that the product can do, from left to right: a feature may use those to its left. The web process, the worker, the
 * console, the start and the tests know features from this list alone, so that none has what another lacks.
 */
import { speakSamples } from './demo/language.ts'
import { createSample } from './demo/seed.ts'
import { accounts } from './features/accounts/feature.ts'
import { custom } from './features/custom/feature.ts'
import { datasets } from './features/datasets/feature.ts'
import { files } from './features/files/feature.ts'
import { flow } from './features/flow/feature.ts'
import { labelling } from './features/labelling/feature.ts'
import { ledger } from './features/ledger/feature.ts'
import { market } from './features/market/feature.ts'
import { networks } from './features/networks/feature.ts'
import { operations } from './features/operations/feature.ts'
import { payments } from './features/payments/feature.ts'
import { plans } from './features/plans/feature.ts'
import { projects } from './features/projects/feature.ts'
import { recipes } from './features/recipes/feature.ts'
import { reports } from './features/reports/feature.ts'
import { runs } from './features/runs/feature.ts'
import { shop } from './features/shop/feature.ts'
import { site } from './features/site/feature.ts'
import { social } from './features/social/feature.ts'
import { toolbox } from './features/toolbox/feature.ts'
import { wallet } from './features/wallet/feature.ts'
import { signedIn } from './http/access.ts'
import type { Feature } from './infra/feature.ts'

/** Samples for everybody who asks; those of the demo member follow the language of the sign-in. */
const demo: Feature = {
  name: 'demo',
  rows: { 'samples/create': { access: signedIn, run: createSample } },
  tells: { greets: speakSamples },
}

export const features: readonly Feature[] = [
  accounts,
  ledger,
  plans,
  payments,
  files,
  recipes,
  projects,
  datasets,
  networks,
  runs,
  flow,
  labelling,
  reports,
  toolbox,
  shop,
  wallet,
  market,
  custom,
  social,
  site,
  operations,
  demo,
]

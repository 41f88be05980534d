import { pytorchCode } from '@neuroloom/contract/network/code/code'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import type { CarriedCode } from '@neuroloom/contract/recipes/carried'
import type { Work } from '../../infra/aside/aside.ts'
import { pytorchTexts } from './library.ts'

/** A plan, given as text, as a PyTorch program of its own. */
export const programWork: Work<{ plan: string; name: string; carried?: CarriedCode }, string> = {
  name: 'networks/program',
  run: ({ plan, name, carried }) =>
    // Written by ourselves when the run was started.
    pytorchCode(JSON.parse(plan) as Plan, { name, texts: pytorchTexts, ...(carried ? { carried } : {}) }),
}

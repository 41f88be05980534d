import type { recipeCalls } from '@neuroloom/contract/recipes/recipes'
import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { measure } from './algebra/measure.ts'
import { preview } from './algebra/preview.ts'
import { examine, tryRepair } from './doctor/examine.ts'
import * as kept from './kept.ts'
import { clashes } from './merge.ts'
import { renamed } from './plan.ts'
import * as works from './service.ts'
import { trial } from './trial.ts'

export const rows: Rows<keyof typeof recipeCalls> = {
  'recipes/list': { access: signedIn, run: kept.list },
  'recipes/keep': { access: signedIn, run: kept.keep },
  'recipes/remove': { access: signedIn, run: kept.remove },
  'recipes/share': { access: signedIn, run: kept.share },
  'recipes/unshare': { access: signedIn, run: kept.unshare },
  'recipes/try': { access: signedIn, run: trial },
  'recipes/clashes': { access: signedIn, run: clashes },
  'recipes/renamed': { access: signedIn, run: renamed },
  'recipes/examine': { access: signedIn, run: examine },
  'recipes/tryRepair': { access: signedIn, run: tryRepair },
  'recipes/tryAlgebra': { access: signedIn, run: preview },
  'recipes/measure': { access: signedIn, run: measure },
  'recipes/start': { access: signedIn, run: works.start },
  'recipes/works': { access: signedIn, run: works.list },
  'recipes/retry': { access: signedIn, run: works.retry },
  'recipes/cancel': { access: signedIn, run: works.cancel },
}

import type { toolboxCalls } from '@neuroloom/contract/toolbox/calls'
import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { home, setFavourite } from './favourites.ts'
import { forget, history, predict, record } from './history.ts'
import { inspect } from './inspect.ts'
import * as own from './own/make.ts'
import { share, unshare } from './own/share.ts'
import { list, one } from './own/show.ts'
import * as use from './own/use.ts'
import { split } from './split.ts'
import { status } from './status.ts'
import { vary } from './vary.ts'

export const rows: Rows<keyof typeof toolboxCalls> = {
  'toolbox/home': { access: signedIn, run: home },
  'toolbox/setFavourite': { access: signedIn, run: setFavourite },
  // Asked by pages by themselves, again and again.
  'toolbox/status': { access: signedIn, run: status, keepsSession: false },
  'toolbox/history': { access: signedIn, run: history },
  'toolbox/record': { access: signedIn, run: record },
  'toolbox/forget': { access: signedIn, run: forget },
  'toolbox/split': { access: signedIn, run: split },
  'toolbox/vary': { access: signedIn, run: vary },
  'toolbox/inspect': { access: signedIn, run: inspect },
  'toolbox/predict': { access: signedIn, run: predict },
  'toolbox/ownTools': { access: signedIn, run: list },
  'toolbox/ownTool': { access: signedIn, run: one },
  'toolbox/makeTool': { access: signedIn, run: own.make },
  'toolbox/changeTool': { access: signedIn, run: own.change },
  'toolbox/removeTool': { access: signedIn, run: own.remove },
  'toolbox/shareTool': { access: signedIn, run: share },
  'toolbox/unshareTool': { access: signedIn, run: unshare },
  'toolbox/tryTool': { access: signedIn, run: use.tryOut },
  'toolbox/prepareByTool': { access: signedIn, run: use.prepare },
  'toolbox/predictByTool': { access: signedIn, run: use.predict },
}

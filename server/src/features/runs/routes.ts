import type { FastifyInstance } from 'fastify'
import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import type { Context } from '../../infra/context.ts'
import { compare } from './compare/compare.ts'
import { evidence } from './compare/evidence.ts'
import { groups, groupTable } from './compare/groups.ts'
import { addExampleRoute, example } from './example.ts'
import * as results from './items.ts'
import { addResultRoutes } from './links.ts'
import { addLookRoute } from './look/links.ts'
import * as looks from './look/look.ts'
import { pause, resume } from './pause.ts'
import { predict, recipe, setAside } from './predict/predict.ts'
import { program } from './program.ts'
import * as recycle from './recycle/recycle.ts'
import { rerun } from './rerun.ts'
import * as runs from './service.ts'
import * as settings from './settings.ts'
import * as shown from './show.ts'
import { start } from './start.ts'
import { test } from './testing.ts'

export const rows: Rows<
  | 'runs/device'
  | 'runs/suggest'
  | 'runs/start'
  | 'runs/test'
  | 'runs/predict'
  | 'runs/recipe'
  | 'runs/setAside'
  | 'runs/list'
  | 'runs/detail'
  | 'runs/preview'
  | 'runs/stop'
  | 'runs/rerun'
  | 'runs/pause'
  | 'runs/resume'
  | 'runs/remove'
  | 'runs/recycled'
  | 'runs/restore'
  | 'runs/purge'
  | 'runs/items'
  | 'runs/scores'
  | 'runs/evidence'
  | 'runs/compare'
  | 'runs/groups'
  | 'runs/groupTable'
  | 'runs/download'
  | 'runs/example'
  | 'runs/program'
  | 'runs/look'
  | 'runs/lookOver'
> = {
  'runs/device': { access: signedIn, run: settings.device },
  'runs/suggest': { access: signedIn, run: settings.suggest },
  'runs/start': { access: signedIn, run: start },
  'runs/test': { access: signedIn, run: test },
  'runs/predict': { access: signedIn, run: predict },
  'runs/recipe': { access: signedIn, run: recipe },
  'runs/setAside': { access: signedIn, run: setAside },
  'runs/list': { access: signedIn, run: shown.list },
  'runs/detail': { access: signedIn, run: shown.detail },
  'runs/preview': { access: signedIn, run: shown.preview },
  'runs/stop': { access: signedIn, run: runs.stop },
  'runs/rerun': { access: signedIn, run: rerun },
  'runs/pause': { access: signedIn, run: pause },
  'runs/resume': { access: signedIn, run: resume },
  'runs/remove': { access: signedIn, run: recycle.remove },
  'runs/recycled': { access: signedIn, run: recycle.recycled },
  'runs/restore': { access: signedIn, run: recycle.restore },
  'runs/purge': { access: signedIn, run: recycle.purgeOwn },
  'runs/items': { access: signedIn, run: results.items },
  'runs/scores': { access: signedIn, run: results.scores },
  'runs/evidence': { access: signedIn, run: evidence },
  'runs/compare': { access: signedIn, run: compare },
  'runs/groups': { access: signedIn, run: groups },
  'runs/groupTable': { access: signedIn, run: groupTable },
  'runs/download': { access: signedIn, run: shown.download },
  'runs/example': { access: signedIn, run: example },
  'runs/program': { access: signedIn, run: program },
  'runs/look': { access: signedIn, run: looks.look },
  'runs/lookOver': { access: signedIn, run: looks.lookOver },
}

export function raw(app: FastifyInstance, ctx: Context): void {
  addResultRoutes(app, ctx)
  addExampleRoute(app, ctx)
  addLookRoute(app, ctx)
}

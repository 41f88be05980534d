import type { publicProjectCalls } from '@neuroloom/contract/office/published'
import type { projectCalls } from '@neuroloom/contract/projects'
import type { FastifyInstance } from 'fastify'
import { administrator, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import type { Context } from '../../infra/context.ts'
import { addArchiveRoute, archive } from './archive.ts'
import { copy } from './copy.ts'
import { detail, list } from './list.ts'
import * as office from './office.ts'
import { purgeOwn, recycled, remove, restore } from './recycle.ts'
import * as projects from './service.ts'
import { changeShare, leaveShare, listShares, share, unshare } from './sharing.ts'
import { setStatement, statements } from './statements.ts'

export const rows: Rows<keyof typeof projectCalls | keyof typeof publicProjectCalls> = {
  'projects/list': { access: signedIn, run: list },
  'projects/create': { access: signedIn, run: projects.create },
  'projects/detail': { access: signedIn, run: detail },
  'projects/rename': { access: signedIn, run: projects.rename },
  'projects/copy': { access: signedIn, run: copy },
  'projects/setPublic': { access: signedIn, run: projects.setPublic },
  'office/publicProjects': { access: administrator, run: office.listPublic },
  'office/withdrawProject': { access: administrator, run: office.withdraw },
  'projects/setDisplays': { access: signedIn, run: projects.setDisplays },
  'projects/statements': { access: signedIn, run: statements },
  'projects/setStatement': { access: signedIn, run: setStatement },
  'projects/share': { access: signedIn, run: share },
  'projects/shares': { access: signedIn, run: listShares },
  'projects/changeShare': { access: signedIn, run: changeShare },
  'projects/unshare': { access: signedIn, run: unshare },
  'projects/leaveShare': { access: signedIn, run: leaveShare },
  'projects/archive': { access: signedIn, run: archive },
  'projects/remove': { access: signedIn, run: remove },
  'projects/recycled': { access: signedIn, run: recycled },
  'projects/restore': { access: signedIn, run: restore },
  'projects/purge': { access: signedIn, run: purgeOwn },
}

export const raw = (app: FastifyInstance, ctx: Context): void => addArchiveRoute(app, ctx)

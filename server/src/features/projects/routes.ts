import type { projectCalls } from '@neuroloom/contract/projects'
import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import * as projects from './service.ts'

export const rows: Rows<keyof typeof projectCalls> = {
  'projects/list': { access: signedIn, run: projects.list },
  'projects/create': { access: signedIn, run: projects.create },
  'projects/detail': { access: signedIn, run: projects.detail },
  'projects/rename': { access: signedIn, run: projects.rename },
  'projects/remove': { access: signedIn, run: projects.remove },
  'projects/restore': { access: signedIn, run: projects.restore },
}

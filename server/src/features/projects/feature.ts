import type { Feature } from '../../infra/feature.ts'
import { requireProject } from './access.ts'
import { eraseOf } from './erase.ts'
import { exportOf } from './export.ts'
import { register } from './jobs.ts'
import { countOwn } from './list.ts'
import { raw, rows } from './routes.ts'

export const projects: Feature = {
  name: 'projects',
  rows,
  raw,
  jobs: register,
  tells: {
    exportOf,
    eraseOf,
    counts: { projects: countOwn },
    mayWatch: { project: (ctx, user, id) => requireProject(ctx.db, user, id, 'view') },
  },
}

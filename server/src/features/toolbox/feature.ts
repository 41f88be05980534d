import type { Feature } from '../../infra/feature.ts'
import { exportOf } from './export.ts'
import { keepLater, keepResults } from './own/results.ts'
import { sharedTools } from './own/share.ts'
import { rows } from './routes.ts'

export const toolbox: Feature = {
  name: 'toolbox',
  rows,
  jobs: (ctx) => ctx.jobs.work('toolbox.results', ({ runId }) => keepResults(ctx, runId)),
  tells: { exportOf, runEnded: keepLater, sharedThings: sharedTools },
}

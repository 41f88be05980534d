import type { Feature } from '../../infra/feature.ts'
import { eraseOf } from './erase.ts'
import { exportOf } from './export.ts'
import { register } from './jobs.ts'
import { rows } from './routes.ts'
import { runKind } from './runs/kind.ts'
import { projectPart, sharedStudies } from './runs/projects.ts'
import { addRunValuesRoute } from './runs/values.ts'
import { trainKind } from './sharpen/kind.ts'
import { addValuesRoute } from './values.ts'

export const flow: Feature = {
  name: 'flow',
  rows,
  raw(app, ctx) {
    addValuesRoute(app, ctx)
    addRunValuesRoute(app, ctx)
  },
  jobs: register,
  tells: {
    bytesKept: [
      { table: 'flow_studies', column: 'sha256' },
      { table: 'flow_studies', column: 'interpolated_sha256' },
      { table: 'flow_sharpenings', column: 'study_sha256' },
      { table: 'flow_sharpenings', column: 'mask_sha256' },
      { table: 'flow_sharpenings', column: 'weights_sha256' },
      { table: 'run_flow', column: 'study_sha256' },
      { table: 'run_flow', column: 'mask_sha256' },
      { table: 'flow_figures', column: 'sha256' },
    ],
    exportOf,
    eraseOf,
    runKinds: [runKind, trainKind],
    projectPart,
    sharedThings: sharedStudies,
  },
}

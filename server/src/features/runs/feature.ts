import type { Feature } from '../../infra/feature.ts'
import { requireRun } from './access.ts'
import { eraseOf } from './erase.ts'
import { exportOf } from './export.ts'
import { register } from './jobs.ts'
import { countModels, sharedModels } from './models.ts'
import { startRunner } from './queue/jobs.ts'
import { raw, rows } from './routes.ts'
import { countTrainings, projectPart } from './service.ts'
import { dataUse } from './start.ts'
import { findTrained } from './testing.ts'

export const runs: Feature = {
  name: 'runs',
  rows,
  raw,
  jobs: register,
  runner: startRunner,
  tells: {
    bytesKept: [
      { table: 'run_inputs', column: 'manifest_sha256' },
      { table: 'run_inputs', column: 'weights_sha256' },
      { table: 'run_artifacts', column: 'sha256' },
      { table: 'run_pictures', column: 'sha256' },
    ],
    exportOf,
    eraseOf,
    mayWatch: { run: (ctx, user, id) => requireRun(ctx.db, user, id, 'view') },
    shownBy: { as: 'run', require: (ctx, user, id) => requireRun(ctx.db, user, id, 'view') },
    sharedThings: sharedModels,
    counts: { trainedModels: countModels },
    projectPart,
    dataUse,
    trainings: countTrainings,
    trained: findTrained,
  },
}

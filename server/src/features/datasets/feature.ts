import type { Feature } from '../../infra/feature.ts'
import { requireDataset } from './access.ts'
import { eraseOf } from './erase.ts'
import { exportOf } from './export.ts'
import { register } from './jobs.ts'
import { keepsFiles, projectPart, sharedDatasets } from './parts.ts'
import { rows } from './routes.ts'

export const datasets: Feature = {
  name: 'datasets',
  rows,
  jobs: register,
  tells: {
    bytesKept: [
      { table: 'dataset_items', column: 'image_sha256' },
      { table: 'dataset_items', column: 'label_sha256' },
      { table: 'dataset_items', column: 'region_sha256' },
    ],
    exportOf,
    eraseOf,
    mayWatch: { dataset: (ctx, user, id) => requireDataset(ctx.db, user, id, 'view') },
    shownBy: { as: 'dataset', require: (ctx, user, id) => requireDataset(ctx.db, user, id, 'view') },
    sharedThings: sharedDatasets,
    keepsFiles,
    projectPart,
  },
}

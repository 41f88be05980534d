import type { Feature } from '../../infra/feature.ts'
import { requireReading, requireSet } from './access.ts'
import { labelledFiles } from './as-data.ts'
import { eraseOf } from './erase.ts'
import { exportOf } from './export.ts'
import { addImageRoutes } from './images.ts'
import { register } from './jobs.ts'
import { keepsFiles } from './keeps-files.ts'
import { labelsOver } from './over/over.ts'
import { harvestLater } from './proposals/harvest.ts'
import { goOnLater } from './proposals/learn.ts'
import { pinnedImages } from './proposals/propose.ts'
import { rows } from './routes.ts'

export const labelling: Feature = {
  name: 'labelling',
  rows,
  raw: addImageRoutes,
  jobs: register,
  tells: {
    bytesKept: [{ table: 'label_sources', column: 'sha256' }],
    exportOf,
    eraseOf,
    keepsFiles,
    mayWatch: { reading: (ctx, user, id) => requireReading(ctx.db, user, id) },
    labelledFiles,
    labelsOver,
    pinnedImages,
    async runEnded(ctx, tx, run) {
      await harvestLater(ctx, tx, run)
      await goOnLater(ctx, tx, run)
    },
    shownBy: { as: 'labelling', require: (ctx, user, id) => requireSet(ctx.db, user, id, 'read') },
  },
}

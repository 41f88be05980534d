import type { Feature } from '../../infra/feature.ts'
import { eraseOf } from './erase.ts'
import { exportOf } from './export.ts'
import { countGroups } from './groups/groups.ts'
import { register } from './jobs.ts'
import { countAtTop } from './room-at-top.ts'
import { raw, rows } from './routes.ts'
import { sharedFiles } from './sharing/shared.ts'
import { shownByFile } from './thumbnail-rights.ts'

export const files: Feature = {
  name: 'files',
  rows,
  raw,
  jobs: register,
  tells: {
    bytesKept: [
      { table: 'files', column: 'sha256' },
      { table: 'unpacks', column: 'sha256' },
      { table: 'derived_images', column: 'sha256' },
    ],
    exportOf,
    eraseOf,
    sharedThings: sharedFiles,
    counts: { topFolders: countAtTop, dataGroups: countGroups },
    shownBy: shownByFile,
  },
}

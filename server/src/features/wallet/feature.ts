import type { Feature } from '../../infra/feature.ts'
import { register } from './jobs.ts'
import { eraseOf, exportOf } from './own.ts'
import { rows } from './routes.ts'
import { addStatementRoute } from './statement-file.ts'

export const wallet: Feature = {
  name: 'wallet',
  rows,
  raw: addStatementRoute,
  jobs: register,
  tells: { exportOf, eraseOf },
}

import type { Feature } from '../../infra/feature.ts'
import { register } from './backup-jobs.ts'
import { recordHistory } from './history.ts'
import { rows } from './routes.ts'

export const operations: Feature = { name: 'operations', rows, raw: recordHistory, jobs: register }

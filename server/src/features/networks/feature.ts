import type { Feature } from '../../infra/feature.ts'
import { eraseOf } from './erase.ts'
import { exportOf } from './export.ts'
import { rows } from './routes.ts'

export const networks: Feature = { name: 'networks', rows, tells: { exportOf, eraseOf } }

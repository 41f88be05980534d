import type { Feature } from '../../infra/feature.ts'
import { eraseOf } from './erase.ts'
import { exportOf } from './export.ts'
import { register } from './jobs.ts'
import { rows } from './routes.ts'

export const recipes: Feature = { name: 'recipes', rows, jobs: register, tells: { exportOf, eraseOf } }

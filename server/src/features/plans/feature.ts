import type { Feature } from '../../infra/feature.ts'
import { rows } from './routes.ts'

export const plans: Feature = { name: 'plans', rows }

import type { Feature } from '../../infra/feature.ts'
import { raw, rows } from './routes.ts'

export const reports: Feature = { name: 'reports', rows, raw }

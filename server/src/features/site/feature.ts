import type { Feature } from '../../infra/feature.ts'
import { raw, rows } from './routes.ts'

export const site: Feature = { name: 'site', rows, raw }

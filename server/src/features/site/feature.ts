import type { Feature } from '../../infra/feature.ts'
import { raw, rows } from './routes.ts'
import { commands } from './server.ts'

export const site: Feature = { name: 'site', rows, raw, commands }

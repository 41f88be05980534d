import { sql } from 'drizzle-orm'
import type { Feature } from '../../infra/feature.ts'
import { rows } from './routes.ts'
import { userStorage } from './tables.ts'

export const plans: Feature = {
  name: 'plans',
  rows,
  tells: {
    bytesOfMember: (userId) =>
      sql`(select ${userStorage.usedBytes} from ${userStorage} where ${userStorage.userId} = ${userId})`,
  },
}

import { fail } from '../../http/fail.ts'
import type { Feature } from '../../infra/feature.ts'
import { tellAdministrators } from './administrators.ts'
import { register } from './jobs.ts'
import { raw, rows } from './routes.ts'

export const accounts: Feature = {
  name: 'accounts',
  rows,
  raw,
  jobs: register,
  tells: {
    administrators: tellAdministrators,
    mayWatch: {
      user: async (_ctx, user, id) => {
        if (user.id !== id) throw fail('missing')
      },
    },
  },
}

import { fail } from '../../http/fail.ts'
import type { Feature } from '../../infra/feature.ts'
import { tellAdministrators } from './administrators.ts'
import { register } from './jobs.ts'
import { commands } from './members/console.ts'
import { raw, rows } from './routes.ts'
import { enter, findActive, redeemTicket } from './sign-in/session.ts'

export const accounts: Feature = {
  name: 'accounts',
  rows,
  raw,
  gate: { enter, redeem: redeemTicket, current: findActive },
  commands,
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

import { roles } from '@neuroloom/contract/accounts/roles'
import { expect, it } from 'vitest'
import { administrator } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { rows } from './routes.ts'

type Run = (ctx: Context, body: unknown, caller: unknown) => Promise<unknown>

it.each([
  ['on a hospital’s own server', 'private', roles.administrator, 'not_found'],
  ['to a service provider', 'public', roles.provider, 'not_allowed'],
] as const)('no call of the social centre is answered %s', async (_where, deployment, role, failure) => {
  // Refused before anything else is read.
  const ctx = { config: { deployment } } as Context
  const caller = { user: { id: 'somebody', role } }
  // The row's type ties body and function together; a loop over all rows cannot show it.
  for (const [path, row] of Object.entries(rows)) {
    // Of the back-office: nobody but administrators comes so far, whatever else they are.
    if (path.startsWith('office/') && role !== roles.administrator) {
      expect(row.access).toBe(administrator)
      continue
    }
    await expect((row.run as Run)(ctx, {}, caller), path).rejects.toMatchObject({ failure })
  }
})

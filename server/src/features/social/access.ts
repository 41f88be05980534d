/** The social centre is for members of a public server: service providers and a hospital's own server have none. Administrators switch it off. */
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Caller, Guest, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { requireModule } from '../../infra/modules/modules.ts'

/** Of the social centre. */
export const memberRoles: number[] = [roles.member, roles.administrator, roles.partner]

export const isMember = ({ role }: Pick<SessionUser, 'role'>): boolean => memberRoles.includes(role)

/** Only where there is a social centre, and only for its members. */
export const social =
  <Body, Result>(run: (ctx: Context, body: Body, caller: Caller & Guest) => Promise<Result>) =>
  async (ctx: Context, body: Body, caller: Caller & Guest): Promise<Result> => {
    requireSocial(ctx, caller.user)
    return run(ctx, body, caller)
  }

export function requireSocial(ctx: Context, user: SessionUser): void {
  requirePublic(ctx)
  if (!isMember(user)) throw fail('not_allowed')
  requireModule(ctx, 'social')
}

/** What administrators decide there, they also decide while it is off. */
export const socialOffice =
  <Body, Result>(run: (ctx: Context, body: Body, caller: Caller & Guest) => Promise<Result>) =>
  async (ctx: Context, body: Body, caller: Caller & Guest): Promise<Result> => {
    requirePublic(ctx)
    return run(ctx, body, caller)
  }

function requirePublic({ config }: Context): void {
  if (config.deployment === 'private') throw fail('not_found')
}

/** For what is asked besides the calls: live events, images and what rounds show. */
export const isThere = ({ config, modules }: Context): boolean =>
  config.deployment !== 'private' && !modules.isOff('social')

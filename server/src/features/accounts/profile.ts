import { type Profile, profileSchema, type User, userSchema } from '@neuroloom/contract/accounts'
import type { Parsed } from '@neuroloom/contract/calls'
import { eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { type UserRow, users } from './tables.ts'

/** A user as its owner sees it: exactly the contract's fields, whatever columns there are. */
export const profileOf = (user: UserRow): User =>
  userSchema.parse({ ...user, vipValid: user.vipValid?.toISOString() ?? null })

export async function info(ctx: Context, _body: unknown, { user }: Caller): Promise<User> {
  const [row] = await ctx.db.select().from(users).where(eq(users.id, user.id))
  if (!row) throw fail('not_signed_in')
  return profileOf(row)
}

/** Changes the fields given. What may be given is the contract's list; role and membership are not in it. */
export async function edit(ctx: Context, body: Parsed<'user/edit'>, caller: Caller): Promise<User> {
  const { userId: _, ...fields } = body
  refuseChinese(fields)
  const changes = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (changes.length === 0) return info(ctx, {}, caller)
  const [row] = await ctx.db
    .update(users)
    .set(Object.fromEntries(changes))
    .where(eq(users.id, caller.user.id))
    .returning()
  if (!row) throw fail('not_signed_in')
  return profileOf(row)
}

/** The usage of the second number is written in the member's own words, in any language. */
const anyLanguage: ReadonlySet<string> = new Set<keyof Profile>(['bakPhoneUsage'])

function refuseChinese(fields: object): void {
  const wrong = Object.entries(fields).find(
    ([name, value]) =>
      name in profileSchema.shape &&
      !anyLanguage.has(name) &&
      typeof value === 'string' &&
      /\p{Script=Han}/u.test(value),
  )
  if (wrong) throw fail('english_only', { field: wrong[0] })
}

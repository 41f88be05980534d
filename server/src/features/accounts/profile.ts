import { type User, userSchema } from '@neuroloom/contract/accounts/accounts'
import { type MemberForm, masked, memberProblems, wholeForm } from '@neuroloom/contract/accounts/member-rules'
import type { Parsed } from '@neuroloom/contract/calls'
import { eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { ProfileColumns } from './account.ts'
import { levelAt, ORDINARY, validAt } from './level.ts'
import { cardNumberOf, columnsOf, type GivenProfile, memberOf } from './member.ts'
import { requireRight, wholeCardNumber } from './sign-up/profile-rules.ts'
import { type UserRow, users } from './tables.ts'

/** A user as its owner sees it: exactly the contract's fields, whatever columns there are. */
export function profileOf(ctx: Context, user: UserRow): User {
  const cardNumber = cardNumberOf(ctx, user)
  return userSchema.parse({
    ...user,
    areaList: user.area.split('/').filter((level) => level !== ''),
    cardNumber: cardNumber && masked(cardNumber),
    account: user.phoneKey === null ? 'email' : 'phone',
    vipLevel: levelAt(user, ctx.now()),
    vipValid: validAt(user, ctx.now())?.toISOString() ?? null,
  })
}

export async function info(ctx: Context, _body: unknown, { user }: Caller): Promise<User> {
  const [row] = await ctx.db.select().from(users).where(eq(users.id, user.id))
  if (!row) throw fail('not_signed_in')
  return profileOf(ctx, row)
}

/** Changes the fields given. What may be given is the contract's list; role and membership are not in it. */
export async function edit(
  ctx: Context,
  body: Parsed<'user/edit'>,
  { user, address }: Caller,
): Promise<User> {
  return ctx.db.transaction(async (tx) => {
    const mine = eq(users.id, user.id)
    // Locked, because the rules look at the stored fields as well.
    const [row] = await tx.select().from(users).where(mine).for('update')
    if (!row) throw fail('not_signed_in')
    const changes = changesOf(ctx, row, givenOf(body))
    if (Object.keys(changes).length === 0) return profileOf(ctx, row)
    const [changed] = await tx.update(users).set(changes).where(mine).returning()
    if (!changed) throw new Error('An update answered without its row')
    const fields = Object.keys(changes).filter((name) => !isNoNews.has(name))
    if (fields.length > 0) {
      // Which fields, never what they say: that is personal.
      const after = { fields: fields.sort().join(' ') }
      await audit(tx, { actor: user.id, action: 'account.edit', subject: `user:${user.id}`, address, after })
    }
    return profileOf(ctx, changed)
  })
}

/** An introduction put away, another language of the pages, or a wish for e-mails: the account's history does not tell it. */
const isNoNews: ReadonlySet<string> = new Set(['showIntroduce', 'language', 'runMail'])

type Changes = ProfileColumns & Partial<Pick<UserRow, 'type' | 'vipLevel'>>

function changesOf(ctx: Context, row: UserRow, given: GivenProfile): Changes {
  const stored = memberOf(ctx, row)
  const cardNumber = wholeCardNumber(given.cardNumber, stored.cardNumber)
  const form: MemberForm = wholeForm({ ...stored, ...given, cardNumber })
  requireRight(row, given, form)
  const columns = columnsOf(ctx, row.id, given)
  // A number that came back masked is not sealed anew.
  if (cardNumber === stored.cardNumber) delete columns.cardSeal
  const isComplete = Object.keys(memberProblems(form, 'edit')).length === 0
  if (!isComplete || row.type === 1) return columns
  return { ...columns, type: 1, vipLevel: Math.max(row.vipLevel, ORDINARY) }
}

function givenOf({ userId: _, ...fields }: Parsed<'user/edit'>): GivenProfile {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  // The same fields, less those that were not given.
  return Object.fromEntries(given) as GivenProfile
}

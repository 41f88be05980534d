import { type MemberForm, wholeForm } from '@neuroloom/contract/accounts/member-rules'
import type { Parsed } from '@neuroloom/contract/calls'
import type { Context } from '../../infra/context.ts'
import { accountKey, type ProfileColumns } from './account.ts'
import type { UserRow } from './tables.ts'

/** Fields of a profile, those that were given. */
export type GivenProfile = Omit<Parsed<'user/edit'>, 'userId'>

/** The stored profile as the form knows it, with the whole document number: it never leaves the server. */
export const memberOf = (ctx: Context, row: UserRow): MemberForm =>
  wholeForm({ ...row, cardNumber: cardNumberOf(ctx, row) })

/** Empty where none was given, or where it cannot be read any more because the server's secret is another. */
export const cardNumberOf = (ctx: Context, { id, cardSeal }: UserRow): string =>
  (cardSeal && ctx.seals.open(cardSeal, id)) ?? ''

/** What was given, as it is stored; what was not given stays out. */
export function columnsOf(ctx: Context, userId: string, given: GivenProfile): ProfileColumns {
  const { phone, cardNumber, ...plain } = given
  const columns: ProfileColumns = { ...plain }
  if (phone !== undefined) columns.phone = phone === '' ? '' : `+${accountKey(phone).key}`
  if (cardNumber !== undefined)
    columns.cardSeal = cardNumber === '' ? null : ctx.seals.seal(cardNumber, userId)
  return columns
}

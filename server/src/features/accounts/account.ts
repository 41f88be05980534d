import type { Parsed } from '@neuroloom/contract/calls'
import type { Language } from '@neuroloom/contract/language'
import { count, eq, type SQL } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import * as password from './sign-in/password.ts'
import { type UserRow, users } from './tables.ts'

/** One canonical form, so that an account cannot exist twice in two spellings. */
export function accountKey(account: string): { kind: 'email' | 'phone'; key: string } {
  const text = account.normalize('NFKC').trim()
  if (text.includes('@')) return { kind: 'email', key: text.toLowerCase() }
  return { kind: 'phone', key: text.replace(/^\+|^00(?=\d)/, '').replace(/[\s().-]/g, '') }
}

export async function findByAccount(db: Db, account: string): Promise<UserRow | null> {
  const [user] = await db.select().from(users).where(called(account))
  return user ?? null
}

/** Reads nothing of the account, so that the answer takes as long as for one that does not exist. */
export async function hasAccount(db: Db, account: string): Promise<boolean> {
  const [row] = await db.select({ found: count() }).from(users).where(called(account))
  return row?.found === 1
}

/** The language that its member chose; null where none was, or where there is no such account. */
export async function languageOf(db: Db, account: string): Promise<Language | null> {
  const [row] = await db.select({ language: users.language }).from(users).where(called(account))
  return row?.language ?? null
}

function called(account: string): SQL {
  const { kind, key } = accountKey(account)
  return eq(kind === 'email' ? users.emailKey : users.phoneKey, key)
}

/** Columns that a profile stands in; role, membership and sign-in are not among them. */
export type ProfileColumns = Omit<Parsed<'user/edit'>, 'userId' | 'cardNumber'> &
  Partial<Pick<UserRow, 'cardSeal'>>

export type NewUser = {
  account: string
  /** Null: nobody can sign in until `setPassword`. */
  password: string | null
  nickName: string
  /** Others may have read it where it was printed. */
  mustChangePassword?: boolean
  role?: number
  vipLevel?: number
  vipSuper?: number
  agreedAt?: Date
  /** Drawn beforehand where something of the profile is bound to it. */
  id?: string
  /** The member form; without it there is the name alone. */
  profile?: ProfileColumns
  /** 1 once the whole form was given. */
  type?: 0 | 1
}

/** What is stored for an account that nobody can sign in to yet. */
export const NO_PASSWORD = ''

/** Makes an account. The unique keys refuse a second one for the same phone or e-mail. */
export async function createUser(db: Db, { password: chosen, ...fresh }: NewUser): Promise<UserRow> {
  const passwordHash = chosen === null ? NO_PASSWORD : await password.hash(chosen)
  return insertUser(db, { ...fresh, passwordHash })
}

/** The same with a password that was hashed before. */
export async function insertUser(
  db: Db,
  fresh: Omit<NewUser, 'password'> & { passwordHash: string },
): Promise<UserRow> {
  const { kind, key } = accountKey(fresh.account)
  const {
    nickName,
    mustChangePassword = false,
    role = 0,
    vipLevel = 0,
    vipSuper = 0,
    agreedAt = null,
    profile,
    type = profile ? 1 : 0,
  } = fresh
  const contact = kind === 'email' ? { emailKey: key, email: key } : { phoneKey: key, phone: `+${key}` }
  const [user] = await db
    .insert(users)
    .values({
      ...contact,
      ...profile,
      id: fresh.id ?? newId(),
      passwordHash: fresh.passwordHash,
      nickName,
      mustChangePassword,
      role,
      vipLevel,
      vipSuper,
      agreedAt,
      type,
    })
    .returning()
  if (!user) throw new Error('An insert answered without its row')
  return user
}

export async function setPassword(db: Db, userId: string, chosen: string): Promise<void> {
  const passwordHash = await password.hash(chosen)
  await db.update(users).set({ passwordHash }).where(eq(users.id, userId))
}

/** By which tries of passwords are counted: a keyed digest of what the member signs in with. */
export const accountMacOf = (
  { links }: Context,
  { emailKey, phoneKey }: Pick<UserRow, 'emailKey' | 'phoneKey'>,
): string => links.mac('account', emailKey ?? phoneKey ?? '')

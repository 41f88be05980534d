/** The accounts that a fresh installation begins with. Their passwords are shown once and stored only as hashes. */
import { eq } from 'drizzle-orm'
import type { Config } from './config.ts'
import { DEMO_MEMBER } from './demo/language.ts'
import { seedDemo } from './demo/seed.ts'
import { createUser, findByAccount, NO_PASSWORD, setPassword } from './features/accounts/account.ts'
import * as password from './features/accounts/sign-in/password.ts'
import { users } from './features/accounts/tables.ts'
import type { Context } from './infra/context.ts'

const ADMINISTRATOR = 'administrator@neuroloom.local'
const GOLD = 4

/** Lines to print; none when everybody is there already. */
export async function firstStart(ctx: Context, options: { demo: boolean }): Promise<string[]> {
  const lines = [await administrator(ctx, ctx.config), options.demo ? await demoMember(ctx) : null]
  return lines.filter((line) => line !== null)
}

/** One line that nobody overlooks: what a trial does not do, and who can read what it keeps. */
export function trialWarning({ outboxOpen }: Pick<Config, 'outboxOpen'>): string {
  const who = outboxOpen
    ? 'EVERYBODY WHO REACHES THIS SERVER can read them there and take over members’ accounts (OUTBOX_OPEN=1)'
    : 'this machine alone shows them there'
  return `TRIAL, NOT FOR REAL DATA: no text message and no e-mail is sent; codes lie in DATA_DIR/outbox and at /dev/outbox, and ${who}. For real use set MODE=production.`
}

async function administrator(ctx: Context, { adminPassword }: Config): Promise<string | null> {
  const [existing] = await ctx.db.select({ id: users.id }).from(users).where(eq(users.role, 2)).limit(1)
  if (existing) return null
  const secret = adminPassword ?? password.draw()
  // What is printed stands in a terminal and in the system's log, for others to read. A password of the operator's own
  // choice is not printed, and installations that are set up by a program go on with it.
  const isPrinted = adminPassword === undefined
  await createUser(ctx.db, {
    account: ADMINISTRATOR,
    password: secret,
    nickName: 'Administrator',
    mustChangePassword: isPrinted,
    role: 2,
    vipSuper: 1,
  })
  return isPrinted
    ? `Administrator: ${ADMINISTRATOR} ${secret} (to be changed at the first sign-in)`
    : `Administrator: ${ADMINISTRATOR}, with the password in ADMIN_PASSWORD`
}

async function demoMember(ctx: Context): Promise<string | null> {
  const existing = await findByAccount(ctx.db, DEMO_MEMBER)
  if (existing && existing.passwordHash !== NO_PASSWORD) return null
  // Samples can wait; whoever makes room needs a server that starts.
  if (!(await ctx.room.has()))
    return 'No demo member yet: the disk is nearly full. Make room and start again.'
  // A first start was cut off before the samples were all laid out: what there is goes with the account.
  if (existing) await ctx.db.delete(users).where(eq(users.id, existing.id))
  const fresh = { account: DEMO_MEMBER, password: null, nickName: 'Demo member', vipLevel: GOLD }
  const user = await createUser(ctx.db, fresh)
  await seedDemo(ctx, { user, sessionId: '', secondFactorAt: null, address: '127.0.0.1', language: 'en' })
  const secret = password.draw()
  await setPassword(ctx.db, user.id, secret)
  return `Demo member: ${DEMO_MEMBER} ${secret}`
}

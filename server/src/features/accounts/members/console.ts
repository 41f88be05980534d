/** Members from the server's own console: the deeds of the back-office, for an operator who has no browser or no way in. */
import { accountCalls } from '@neuroloom/contract/accounts/accounts'
import { accountSchema, levelSchema, nickNameSchema, roleSchema } from '@neuroloom/contract/accounts/members'
import { loginKey } from '@neuroloom/contract/limits'
import * as z from 'zod'
import { Failure } from '../../../http/fail.ts'
import { type Command, Misuse } from '../../../infra/command.ts'
import type { Context } from '../../../infra/context.ts'
import { findByAccount } from '../account.ts'
import { linkTo, makeKey } from '../sign-in/link-key.ts'
import * as change from './change.ts'
import { create } from './create.ts'
import type { Doer } from './deed.ts'
import { list } from './show.ts'

/** The newest first. */
const everybody = {
  role: null,
  level: null,
  state: null,
  hasSecondFactor: null,
  sort: 'made',
  isDescending: true,
} as const

const operator: Doer = { user: null, address: 'console' }

export const commands: Readonly<Record<string, Command>> = {
  accounts: {
    words: '[search]',
    does: 'lists accounts, the newest first',
    run: async (ctx, [search = '']) => {
      const lines: string[] = []
      for (let page = 1; ; page += 1) {
        const { members, total } = await list(ctx, { ...everybody, search, page })
        lines.push(...members.map(lineOf))
        if (members.length === 0 || lines.length >= total) break
      }
      return lines.length === 0 ? 'No account.' : lines.join('\n')
    },
  },
  create: {
    words: '<account> <name> [role]',
    does: 'makes an account and prints its password',
    run: async (ctx, [account, nickName, role = '0']) => {
      const wish = {
        account: read(accountSchema, account, 'is no e-mail address and no phone number with its area code'),
        nickName: read(nickNameSchema, nickName, 'is no name that people can be called by'),
        role: number(roleSchema, role, ROLES),
        level: 1,
      }
      const made = await create(ctx, wish, operator)
      return `${made.member.account} was made. ${passwordLine(made.password)}`
    },
  },
  password: {
    words: '<account>',
    does: 'prints a new password',
    run: async (ctx, [account]) => {
      const { id, called } = await find(ctx, account)
      const { password } = await change.password(ctx, { id, confirmed: true }, operator)
      return `${called} has a new password. ${passwordLine(password)}`
    },
  },
  unlock: {
    words: '<account>',
    does: 'forgets wrong passwords that were tried, and allows signing in again where that was blocked',
    run: async (ctx, [account]) => {
      const { id, called, isBlocked } = await find(ctx, account)
      await change.unlock(ctx, { id }, operator)
      if (isBlocked) await change.block(ctx, { id, isBlocked: false, confirmed: true }, operator)
      return `${called} can sign in again.`
    },
  },
  block: {
    words: '<account>',
    does: 'blocks signing in to an account; what is in it stays',
    run: async (ctx, [account]) => {
      const { id, called } = await find(ctx, account)
      await change.block(ctx, { id, isBlocked: true, confirmed: true }, operator)
      return `${called} cannot sign in any more, until it is unlocked.`
    },
  },
  'second-factor': {
    words: 'off <account>',
    does: 'takes the second factor of a sign-in away, for whoever has lost it; the session ends',
    run: async (ctx, [word, account]) => {
      read(z.literal('off'), word, 'is not “off”')
      const { id, called } = await find(ctx, account)
      await change.secondFactorOff(ctx, { id }, operator)
      return `${called} signs in by the password alone.`
    },
  },
  role: {
    words: '<account> <0 member|1 service provider|2 administrator|3 partner>',
    does: 'gives another role',
    run: async (ctx, [account, word]) => {
      const role = number(roleSchema, word, ROLES)
      const { id, called } = await find(ctx, account)
      await change.role(ctx, { id, role, confirmed: true }, operator)
      return `${called} now has role ${role}.`
    },
  },
  level: {
    words: '<account> <0 visitor|1 ordinary|2 bronze|3 silver|4 gold> [last day, 2027-12-31]',
    does: 'sets a membership level, for ever or until that day ends',
    run: async (ctx, [account, word, day]) => {
      const level = number(levelSchema, word, 'is no level: 0 to 4')
      const until = day === undefined ? null : endOf(day)
      if (until && until <= ctx.now()) throw new Misuse(`${day} is over.`)
      const { id, called } = await find(ctx, account)
      await change.level(ctx, { id, level, until: until?.toISOString() ?? null }, operator)
      return `${called} now has level ${level}${day === undefined ? '' : ` until ${day}`}.`
    },
  },
  super: {
    words: '<account> <yes|no>',
    does: 'frees a member of all limits, or no longer',
    run: async (ctx, [account, word]) => {
      const answer = read(z.enum(['yes', 'no']), word, 'is neither yes nor no')
      const { id, called } = await find(ctx, account)
      await change.superMember(ctx, { id, isSuper: answer === 'yes' }, operator)
      return answer === 'yes' ? `${called} is a super member.` : `${called} is no super member.`
    },
  },
  key: {
    words: '<account> <path>',
    does: 'prints a link that signs the member in, once, within a minute',
    run: async ({ config, db, now }, [account, path]) => {
      const wish = accountCalls['user/key'].request.safeParse({ account, path })
      if (!wish.success) throw new Misuse(`“${path}” is no path of this server, such as /projectHome.`)
      const link = linkTo(wish.data.path)
      const by = { now: now(), madeBy: null, address: operator.address }
      const made = await makeKey(db, { account: wish.data.account, ...by })
      const { publicUrl, tls, port } = config
      const here = `${tls ? 'https' : 'http'}://localhost:${port}`
      return `${link(made.key, publicUrl ?? here)}\nGood once, for ${loginKey.validMs / 1000} seconds.`
    },
  },
}

const ROLES = 'is no role: 0 member, 1 service provider, 2 administrator, 3 partner'
const roleNames = ['member', 'service provider', 'administrator', 'partner']

function read<T>(schema: z.ZodType<T>, word: string | undefined, problem: string): T {
  return parse(schema, { word, value: word, problem })
}

/** One digit: more would be a number too large for all that is asked here. */
function number<T>(schema: z.ZodType<T>, word: string | undefined, problem: string): T {
  return parse(schema, { word, value: /^\d$/.test(word ?? '') ? Number(word) : null, problem })
}

function parse<T>(
  schema: z.ZodType<T>,
  { word = '', value, problem }: { word: string | undefined; value: unknown; problem: string },
): T {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Misuse(`“${word}” ${problem}.`)
  return parsed.data
}

async function find(ctx: Context, account: string | undefined) {
  const member = account === undefined ? null : await findByAccount(ctx.db, account)
  if (!member) throw new Failure('account_missing', {})
  return { id: member.id, called: account?.trim() ?? '', isBlocked: member.blockedAt !== null }
}

/** In the time of this machine. */
function endOf(day: string): Date {
  const end = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T23:59:59`) : new Date(Number.NaN)
  // 31 June becomes 1 July.
  if (Number.isNaN(end.getTime()) || end.getDate() !== Number(day.slice(8)))
    throw new Misuse(`“${day}” is no day, such as 2027-12-31.`)
  return end
}

const passwordLine = (password: string): string => `Password, to be changed at the first sign-in: ${password}`

type Listed = Awaited<ReturnType<typeof list>>['members'][number]

const lineOf = ({ account, nickName, role, vipLevel, vipValid, isSuper, isBlocked }: Listed): string =>
  [
    account,
    nickName,
    roleNames[role],
    isSuper ? 'super' : `level ${vipLevel}${vipValid ? ` until ${vipValid.slice(0, 10)}` : ''}`,
    ...(isBlocked ? ['blocked'] : []),
  ].join('\t')

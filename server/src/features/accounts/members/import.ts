/**
 * Accounts from a table: decoded, read line by line, compared with itself and with the accounts that there are; then all of
 * them are made in one transaction, or none.
 */
import {
  type ImportColumn,
  type ImportLine,
  importColumns,
  importedSchema,
  levelWords,
  roleWords,
} from '@neuroloom/contract/accounts/member-import'
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { memberImport as limits } from '@neuroloom/contract/limits'
import { decodeText, encodingOfText } from '@neuroloom/contract/names/text-encodings'
import { inArray, or } from 'drizzle-orm'
import type * as z from 'zod'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import { CsvError, type Row, readCsv } from '../../../infra/csv-reader.ts'
import { breaksUnique, type Db } from '../../../infra/db.ts'
import { accountKey, insertUser } from '../account.ts'
import { draw, hash } from '../sign-in/password.ts'
import { users } from '../tables.ts'

export async function preview(
  ctx: Context,
  { file }: Parsed<'members/preview'>,
): Promise<Answer<'members/preview'>> {
  const { lines, unknown } = await readLines(ctx.db, file)
  return { lines, unknown, good: lines.filter(isGood).length }
}

export async function importMembers(
  ctx: Context,
  { file, only }: Parsed<'members/import'>,
  { user, address }: Caller,
): Promise<Answer<'members/import'>> {
  const { lines } = await readLines(ctx.db, file)
  const good = lines.filter(isGood)
  if (only === 'all' && good.length < lines.length)
    throw fail('import_problems', { count: lines.length - good.length })
  if (good.length === 0) throw fail('import_no_accounts')
  // Before anything is locked, and one after the other: people who sign in meanwhile come in between.
  const fresh: Fresh[] = []
  const began = performance.now()
  for (const line of good) {
    // A call that ends before its answer would make accounts whose passwords nobody knows.
    if (performance.now() - began > limits.hashMs) throw fail('busy')
    const secret = draw()
    fresh.push({ ...valuesOf(line), secret, passwordHash: await hash(secret) })
  }
  try {
    await ctx.db.transaction(async (tx) => {
      for (const one of fresh) {
        const { account, nickName, role, level: vipLevel, organ, dept, passwordHash } = one
        // Administrators are never held up by a level.
        const vipSuper = role === roles.administrator ? 1 : 0
        // The rest of the member form is the member's own to fill in.
        const standing = { role, vipLevel, vipSuper, mustChangePassword: true, type: 0 } as const
        const made = await insertUser(tx, {
          account,
          nickName,
          passwordHash,
          profile: { organ, dept },
          ...standing,
        })
        const after = { role, vipLevel, vipSuper }
        await audit(tx, {
          actor: user.id,
          action: 'member.create',
          subject: `user:${made.id}`,
          address,
          after,
        })
      }
      const after = { count: fresh.length }
      await audit(tx, { actor: user.id, action: 'member.import', subject: `user:${user.id}`, address, after })
    })
  } catch (error) {
    // Somebody made one of them while the passwords were drawn.
    const isTaken = breaksUnique(error, 'users_email_key_key') || breaksUnique(error, 'users_phone_key_key')
    throw isTaken ? fail('import_problems', { count: 1 }) : error
  }
  return { made: fresh.map(({ account, nickName, secret: password }) => ({ account, nickName, password })) }
}

type Imported = z.output<typeof importedSchema>
type Fresh = Imported & { secret: string; passwordHash: string }
type Problem = ImportLine['problems'][number]

const isGood = ({ problems }: ImportLine): boolean => problems.length === 0

async function readLines(db: Db, file: string): Promise<{ lines: ImportLine[]; unknown: string[] }> {
  const { columns, unknown, rows } = tableOf(textOf(file))
  const lines = rows.map((row) => lineOf(columns, row))
  markTwins(lines)
  await markTaken(db, lines)
  return { lines, unknown }
}

/** UTF-8 with or without its mark, UTF-16, or what else spreadsheets write: GBK where Chinese is spoken. */
function textOf(file: string): string {
  const bytes = Buffer.from(file, 'base64')
  const text = decodeText(bytes, encodingOfText(bytes)).replace(/^\uFEFF/, '')
  // A workbook or a picture is no table of text.
  if (text.includes('\0')) throw fail('import_unreadable', { line: 1 })
  return text
}

type Columns = Partial<Record<ImportColumn, number>>

function tableOf(text: string): { columns: Columns; unknown: string[]; rows: Row[] } {
  const [head, ...rows] = allRows(text)
  if (!head || rows.length === 0) throw fail('import_no_accounts')
  if (rows.length > limits.rows) throw fail('import_too_long', { limit: limits.rows })
  const keys = head.cells.map(keyOf)
  const columns: Columns = {}
  // Object.keys loses the key type that the table of columns has.
  for (const column of Object.keys(importColumns) as ImportColumn[]) {
    const words: readonly string[] = importColumns[column]
    const at = keys.findIndex((key) => words.includes(key))
    if (at >= 0) columns[column] = at
  }
  if (columns.account === undefined) throw fail('import_no_accounts')
  const known = new Set(Object.values(columns))
  const unknown = head.cells
    .filter((cell, at) => cell !== '' && !known.has(at))
    .map((cell) => cell.slice(0, 60))
  return { columns, unknown, rows }
}

function allRows(text: string): Row[] {
  try {
    const rows: Row[] = []
    for (const row of readCsv(text, { maxCells: limits.columns })) {
      rows.push(row)
      // One more than go, and the head.
      if (rows.length > limits.rows + 1) break
    }
    return rows
  } catch (error) {
    throw error instanceof CsvError ? fail('import_unreadable', { line: error.line }) : error
  }
}

function lineOf(columns: Columns, { line, cells }: Row): ImportLine {
  const cell = (column: ImportColumn): string =>
    unquoted(cells[columns[column] ?? -1] ?? '').slice(0, limits.cellLength)
  const given = {
    ...{ account: cell('account'), nickName: cell('nickName'), role: cell('role') },
    ...{ level: cell('level'), organ: cell('organ'), dept: cell('dept') },
  }
  const parsed = importedSchema.safeParse(wishOf(given))
  const broken = parsed.success
    ? []
    : parsed.error.issues.map(({ path }) => problems[String(path[0])] ?? 'text_long')
  return { line, ...given, problems: [...new Set(broken)].map((problem) => ({ problem })) }
}

/** Spreadsheets, and our own tables, write an apostrophe before what would read as a formula: `'+86 …`. */
const unquoted = (cell: string): string => cell.replace(/^'(?=[=+\-@])/, '').normalize('NFC')

type Given = Pick<ImportLine, 'account' | 'nickName' | 'role' | 'level' | 'organ' | 'dept'>

/** What is left empty stays out, so that it becomes what it is without; a word that is none fits no schema. */
function wishOf({ account, nickName, role, level, organ, dept }: Given): Record<string, unknown> {
  // Called by what one signs in with, where no name is given.
  const name = nickName === '' ? (account.split('@')[0] ?? '') : nickName
  return {
    ...{ account, nickName: name, organ, dept },
    ...(role === '' ? {} : { role: numberOf(role, roleWords) }),
    ...(level === '' ? {} : { level: numberOf(level, levelWords) }),
  }
}

const numberOf = (word: string, words: Readonly<Record<string, number>>): number | undefined | null =>
  /^\d$/.test(word) ? Number(word) : (words[keyOf(word)] ?? null)

const problems: Readonly<Record<string, Problem['problem']>> = {
  ...{ account: 'account_wrong', nickName: 'name_wrong', role: 'role_wrong', level: 'level_wrong' },
}

const valuesOf = (line: ImportLine): Imported => importedSchema.parse(wishOf(line))

/** Lower case, without blanks and signs: how heads and words are compared. */
const keyOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, '')

/** The first of two keeps its place; the second one says in which line it stands already. */
function markTwins(lines: ImportLine[]): void {
  const first = new Map<string, number>()
  for (const { line, account, problems } of lines) {
    if (problems.some(({ problem }) => problem === 'account_wrong')) continue
    const { key } = accountKey(account)
    const other = first.get(key)
    if (other === undefined) first.set(key, line)
    else problems.push({ problem: 'account_twice', other })
  }
}

async function markTaken(db: Db, lines: ImportLine[]): Promise<void> {
  const keys = lines.map(({ account }) => accountKey(account).key)
  const found = await db
    .select({ emailKey: users.emailKey, phoneKey: users.phoneKey })
    .from(users)
    .where(or(inArray(users.emailKey, keys), inArray(users.phoneKey, keys)))
  const taken = new Set(found.flatMap(({ emailKey, phoneKey }) => [emailKey, phoneKey]))
  for (const { account, problems } of lines)
    if (taken.has(accountKey(account).key)) problems.push({ problem: 'account_taken' })
}

/** Links committed audit events into the chain, one process at a time, and keeps its end in a second place. */
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { AUDITED, auditEvents, auditHead } from '../audit.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db.ts'
import { newId } from '../ids.ts'
import { isCode, sync, writeLasting } from '../storage/files.ts'
import { addressHashOf, type ChainLink, eventHashOf, signedText } from './chain.ts'
import { readEvents } from './rows.ts'

type Sealing = Pick<Context, 'config' | 'db' | 'log' | 'signer'>

const SEALED_AT_ONCE = 500

/** Seals at once what was committed, and what was left whenever the connection is (back) there. Once a machine. */
export function keepSealed(ctx: Sealing & Pick<Context, 'listener'>): void {
  let isWanted = false
  let isBusy = false
  const seal = async (): Promise<void> => {
    isWanted = true
    if (isBusy) return
    isBusy = true
    try {
      while (isWanted) {
        isWanted = false
        await sealEvents(ctx)
      }
    } catch (error) {
      ctx.log.warn({ err: error }, 'audit events are not sealed yet')
    } finally {
      isBusy = false
    }
  }
  ctx.listener.on(
    AUDITED,
    () => void seal(),
    () => void seal(),
  )
}

/** Seals all committed events, in the order of their rows; answers how many. */
export async function sealEvents(ctx: Sealing): Promise<number> {
  let count = 0
  let head: ChainLink | null = null
  for (;;) {
    const sealed = await ctx.db.transaction((tx) => sealSome(tx))
    count += sealed.count
    head = sealed.head
    if (sealed.count < SEALED_AT_ONCE) break
  }
  if (count > 0) await writeAnchor(ctx, head)
  return count
}

/** The row of the head is locked until the events are linked: whoever else seals goes on behind them. */
async function sealSome(tx: Db): Promise<{ count: number; head: ChainLink }> {
  const [head] = await tx.select().from(auditHead).for('update')
  if (!head) throw new Error('The row of the end of the audit chain is gone')
  const events = await readEvents(tx, sql`position is null order by id limit ${SEALED_AT_ONCE}`)
  let last: ChainLink = head
  const sealed = events.map((event) => {
    const position = last.position + 1
    const addressHash = addressHashOf(event.address, event.addressSalt)
    const hash = eventHashOf({ ...event, position, addressHash }, last.hash)
    last = { position, hash }
    return { id: event.id, addressHash, ...last }
  })
  if (sealed.length === 0) return { count: 0, head }
  const column = <T>(of: (one: (typeof sealed)[number]) => T) => sql.param(sealed.map(of))
  await tx.execute(sql`
    update ${auditEvents} e set position = s.position, address_hash = s.address_hash, hash = s.hash
    from unnest(
      ${column(({ id }) => id)}::bigint[], ${column(({ position }) => position)}::bigint[],
      ${column(({ addressHash }) => addressHash)}::text[], ${column(({ hash }) => hash)}::text[]
    ) as s (id, position, address_hash, hash)
    where e.id = s.id`)
  await tx.update(auditHead).set({ position: last.position, hash: last.hash })
  return { count: sealed.length, head: last }
}

const signedLinkSchema = z.object({ position: z.int(), hash: z.string(), signature: z.string() })
export type SignedLink = z.infer<typeof signedLinkSchema>

/** Beside the database: a chain whose last events were deleted no longer reaches it. */
export const anchorPath = (dataDir: string): string => join(dataDir, 'audit-head.json')

/** Null: there is none. Throws where it cannot be read. */
export async function readAnchor(dataDir: string): Promise<SignedLink | null> {
  const text = await readFile(anchorPath(dataDir), 'utf8').catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return null
    throw error
  })
  return text === null ? null : signedLinkSchema.parse(JSON.parse(text))
}

/** One that the chain does not contain stays: it is the evidence that the chain was cut. */
async function writeAnchor({ config, db, log, signer }: Sealing, head: ChainLink | null): Promise<void> {
  if (!head) return
  const known = await readAnchor(config.dataDir).catch(() => 'unreadable' as const)
  if (known === 'unreadable' || (known && !(await contains(db, known)))) {
    log.error('the audit chain is broken: npm run admin -- audit verify')
    return
  }
  const path = anchorPath(config.dataDir)
  const draft = `${path}.${newId()}`
  const { position, hash } = head
  const text = JSON.stringify({ position, hash, signature: signer.sign(signedText(head)) })
  try {
    await writeLasting(draft, Buffer.from(text))
    await rename(draft, path)
    await sync(config.dataDir)
  } finally {
    await rm(draft, { force: true })
  }
}

async function contains(db: Db, { position, hash }: ChainLink): Promise<boolean> {
  const found = sql`position = ${position} and hash = ${hash}`
  return position === 0 || (await db.$count(auditEvents, found)) === 1
}

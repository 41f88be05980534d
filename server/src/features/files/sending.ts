import { sql } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import type { Listener } from '../../infra/listener.ts'

/** Named with the owner whose entries somebody may have lost access to. */
const CHANNEL = 'files_access'
/** Rights looked at side by side; the other connections are for those who call. */
const AT_ONCE = 4

/** Whether whoever gets the bytes still may; fails when not. */
type Check = () => Promise<unknown>
type Send = { ownerId: string; check: Check; cut: () => void }
/** What each server is sending; all that one process knows of it hangs on its one listening connection. */
const underWay = new WeakMap<Listener, Set<Send>>()

/** Whoever may have lost access to these owners' entries gets no further byte, on any server, once the transaction commits. */
export async function accessChanged(tx: Tx, ownerIds: readonly string[]): Promise<void> {
  const owners = [...new Set(ownerIds)]
  await tx.execute(
    sql`select pg_notify(${CHANNEL}, owner) from unnest(${sql.param(owners)}::text[]) as owner`,
  )
}

/** Once a server. */
export function watchSends({ listener }: Pick<Context, 'listener'>): void {
  const sends = new Set<Send>()
  underWay.set(listener, sends)
  listener.on(
    CHANNEL,
    (ownerId) => void recheck([...sends].filter((send) => send.ownerId === ownerId)),
    () => void recheck([...sends]),
  )
}

/**
 * Every answer that streams somebody's entries passes here before its first byte. It ends as soon as `check` fails.
 * Looked at once more after it is known, so that a withdrawal in between is never missed.
 */
export async function sendWhile(
  { listener }: Pick<Context, 'listener'>,
  reply: FastifyReply,
  { ownerId, check }: { ownerId: string; check: Check },
): Promise<void> {
  const sends = underWay.get(listener)
  if (!sends) throw new Error('Nobody watches what this server sends')
  let isWithdrawn = false
  const send: Send = {
    ownerId,
    check,
    // Nothing is sent yet: whoever may not is told so.
    cut: () => {
      isWithdrawn = true
    },
  }
  if (!reply.raw.destroyed) sends.add(send)
  reply.raw.once('close', () => sends.delete(send))
  do {
    isWithdrawn = false
    await check()
  } while (isWithdrawn)
  send.cut = () => cut(reply)
}

async function recheck(sends: readonly Send[]): Promise<void> {
  const waiting = sends.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const { check, cut } of waiting) await check().catch(cut)
    }),
  )
}

/** With what the system still holds back for a slow reader; an encrypted line knows no such end. */
function cut({ raw: { socket } }: FastifyReply): void {
  if (!socket || 'encrypted' in socket) socket?.destroy()
  else socket.resetAndDestroy()
}

/** Owners of all that a group was given. */
export async function ownersIn(db: Db, groupId: string): Promise<string[]> {
  const { rows } = await db.execute<{ owner: string }>(
    sql`select distinct owner_id as owner from file_shares where group_id = ${groupId}`,
  )
  return rows.map(({ owner }) => owner)
}

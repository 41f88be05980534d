/** Changes that somebody with access to the database makes behind the audit log's back. */
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../src/infra/db.ts'

/** Whole numbers below a limit, the same for the same seed. */
export function makeRandom(seed: number): Random {
  const next = mulberry32(seed)
  return (below) => Math.floor(next() * below)
}
type Random = (below: number) => number

/** Each leaves another log than was sealed, whatever row it meets. */
const edits: SQL[] = [
  sql`actor = coalesce(actor, '') || 'x'`,
  sql`action = action || '.x'`,
  sql`subject = 'user:somebody'`,
  sql`address = address || '1'`,
  sql`address = '', address_salt = null`,
  sql`address_salt = 'other'`,
  sql`address_hash = md5(address_hash)`,
  sql`at = at + interval '1 microsecond'`,
  sql`before = '{"role": 9}'`,
  sql`after = coalesce(after, '{}') || '{"extra": true}'`,
  sql`hash = md5(hash)`,
  sql`id = id + 1000000`,
  sql`position = position + 1000000`,
  sql`position = null, hash = null`,
]

/** Makes one change in the caller's transaction and says which. `size` is the number of sealed events. */
export async function tamper(db: Db, random: Random, size: number): Promise<string> {
  const position = 1 + random(size)
  switch (random(6)) {
    case 0: {
      await db.execute(sql`delete from audit_events where position = ${position}`)
      return `delete ${position}`
    }
    case 1: {
      // The most careful thief also puts the head right.
      const last = position - 1
      await db.execute(sql`delete from audit_events where position > ${last}`)
      await db.execute(sql`
        update audit_head set position = ${last},
        hash = coalesce((select hash from audit_events where position = ${last}), '')`)
      return `cut after ${last}`
    }
    case 2: {
      const other = 1 + ((position + random(size - 1)) % size)
      await db.execute(sql`
        update audit_events e set action = o.action, subject = o.subject, actor = o.actor, at = o.at
        from audit_events o where (e.position, o.position) in ((${position}, ${other}), (${other}, ${position}))`)
      return `swap ${position} and ${other}`
    }
    case 3: {
      const to = size + 1
      await db.execute(sql`
        insert into audit_events (actor, action, subject, address, address_hash, position, hash)
        select actor, action, subject, address, address_hash, ${to}, hash from audit_events where position = ${position}`)
      return `insert at the end a copy of ${position}`
    }
    case 4: {
      await db.execute(sql`update audit_events set position = -position where position >= ${position}`)
      await db.execute(sql`update audit_events set position = 1 - position where position < 0`)
      await db.execute(sql`
        insert into audit_events (actor, action, subject, address, address_hash, position, hash)
        values (null, 'session.open', 'user:x', '', '', ${position}, '')`)
      return `insert at ${position}`
    }
    default: {
      const which = random(edits.length)
      await db.execute(sql`update audit_events set ${edits[which]} where position = ${position}`)
      return `edit ${which} at ${position}`
    }
  }
}

/** Which column refers to what, as the database has it: tables of infra cannot name those of features. */
import type { TestServer } from './harness.ts'

export type ForeignKey = {
  table: string
  column: string
  to: string
  toColumn: string
  /** What becomes of a row when that to which it refers goes: it goes too, forgets it, or is in the way. */
  onEnd: 'cascade' | 'set null' | 'refuse'
}

const ends: Record<string, ForeignKey['onEnd']> = { c: 'cascade', n: 'set null' }

export async function foreignKeysOf({ ctx }: TestServer): Promise<ForeignKey[]> {
  const { rows } = await ctx.pool.query<Omit<ForeignKey, 'onEnd'> & { end: string }>(`
    select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as to,
      b.attname as "toColumn", c.confdeltype as end
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
    where c.contype = 'f'
    and c.connamespace = 'public'::regnamespace`)
  return rows.map(({ end, ...key }) => ({ ...key, onEnd: ends[end] ?? 'refuse' }))
}

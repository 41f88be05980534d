/** Every table that the code knows; views, which hold nothing of their own, are left out. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'

export const views = ['live_runs']

const source = fileURLToPath(new URL('../src/', import.meta.url))

export async function allTables(): Promise<PgTable[]> {
  const names = await readdir(source, { recursive: true })
  const modules = names.filter((name) => /(^|\/|-)(tables|blobs|live|audit|notices)\.ts$/.test(name))
  const tables: PgTable[] = []
  for (const name of modules) {
    const exported: Record<string, unknown> = await import(join(source, name))
    tables.push(...Object.values(exported).filter((one) => is(one, PgTable)))
  }
  return tables.filter((table) => !views.includes(getTableName(table)))
}

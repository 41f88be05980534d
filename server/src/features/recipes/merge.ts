/** The content of several folders in one: which names come twice, and what becomes of them. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { recipes as limits } from '@neuroloom/contract/limits'
import type { Work } from '@neuroloom/contract/recipes/recipes'
import { inArray } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { requireEntries, type SeenEntry } from '../files/access.ts'
import { walk } from '../files/service.ts'
import { files } from '../files/tables.ts'
import type { Found } from './folders.ts'
import { nameOf, stemOf } from './roles.ts'

/** Files of one folder that share a name but for folder and ending: an image, its mask and its boxes stay of one name. */
type Group = { stem: string; files: Found[] }
export type Placed = { file: Found; path: string }
type SameName = Extract<Work, { kind: 'merge' }>['sameName']

/** Before it begins: how many names come twice, and some of them. */
export async function clashes(
  ctx: Context,
  { ids }: Parsed<'recipes/clashes'>,
  { user }: Caller,
): Promise<Answer<'recipes/clashes'>> {
  const { sources } = await sourcesOf(ctx.db, user, ids)
  const taken = new Set<string>()
  const twice: string[] = []
  for (const groups of sources) {
    const paths = groups.flatMap((group) => group.files.map(({ path }) => path))
    twice.push(...paths.filter((path) => taken.has(folded(path))))
    for (const path of paths) taken.add(folded(path))
  }
  const total = sources.flat().reduce((sum, group) => sum + group.files.length, 0)
  return { count: twice.length, names: twice.slice(0, limits.namesTold), total }
}

export async function mergedFolders(
  db: Db,
  member: { id: string },
  { ids, sameName }: { ids: readonly string[]; sameName: SameName },
): Promise<{ first: SeenEntry; placed: Placed[] }> {
  const { first, sources } = await sourcesOf(db, member, ids)
  const kept = sameName === 'newest' ? await newest(db, sources) : sources
  const taken = new Set<string>()
  const placed: Placed[] = []
  const spelled = spellings(sources.flat())
  for (const groups of kept) {
    // Numbers are given when it is known which names the folder itself has.
    const free = groups.filter((group) => !isTaken(group, taken))
    const late = groups.filter((group) => isTaken(group, taken))
    for (const group of free) put(group, (path) => path)
    for (const group of sameName === 'rename' ? late : []) put(group, numbered(group, taken))
  }
  return { first, placed }

  function put(group: Group, nameFor: (path: string) => string): void {
    for (const file of group.files) {
      const path = nameFor(file.path)
      taken.add(folded(path))
      placed.push({ file, path: (spelled.get(folded(above(path))) ?? '') + nameOf(path) })
    }
  }
}

/** Folders that differ in case alone are one, too: as the first is written. */
function spellings(groups: readonly Group[]): Map<string, string> {
  const known = new Map<string, string>()
  for (const folder of groups.flatMap((group) => group.files.map(({ path }) => above(path))))
    if (!known.has(folded(folder))) known.set(folded(folder), folder)
  return known
}

/** With the stroke at its end. */
const above = (path: string): string => path.slice(0, path.length - nameOf(path).length)

async function sourcesOf(
  db: Db,
  member: { id: string },
  ids: readonly string[],
): Promise<{ first: SeenEntry; sources: Group[][] }> {
  const entries = inOrder(await requireEntries(db, member, ids, 'view'))
  const [first] = entries
  if (!first || entries.length < 2 || entries.some(({ kind }) => kind !== 'folder'))
    throw fail('recipe_merge')
  const sources: Group[][] = []
  for (const { id } of entries) sources.push(groupsOf((await walk(db, member, id)).files))
  return { first, sources }
}

function groupsOf(found: readonly Found[]): Group[] {
  const groups = new Map<string, Group>()
  for (const file of found) {
    const stem = nameOf(stemOf(file.path))
    const group = groups.get(stem)
    if (group) group.files.push(file)
    else groups.set(stem, { stem, files: [file] })
  }
  return [...groups.values()]
}

/** What computers take for one name when it is downloaded: whichever case, however its accents are written. */
const folded = (path: string): string => path.normalize('NFC').toLowerCase()

const isTaken = (group: Group, taken: ReadonlySet<string>): boolean =>
  group.files.some(({ path }) => taken.has(folded(path)))

/** `scan (2)`, with all that belongs to it. */
function numbered({ stem, files }: Group, taken: ReadonlySet<string>): (path: string) => string {
  for (let number = 2; ; number += 1) {
    const nameFor = (path: string): string => {
      const at = path.length - nameOf(path).length + stem.length
      return `${path.slice(0, at)} (${number})${path.slice(at)}`
    }
    if (files.every(({ path }) => !taken.has(folded(nameFor(path))))) return nameFor
  }
}

/** Of groups that share a path the one with the latest file stays. */
async function newest(db: Db, sources: Group[][]): Promise<Group[][]> {
  const times = await timesOf(
    db,
    sources.flat().flatMap((group) => group.files.map(({ id }) => id)),
  )
  const timeOf = (group: Group): number => Math.max(...group.files.map(({ id }) => times.get(id) ?? 0))
  const holders = new Map<string, Group>()
  const dropped = new Set<Group>()
  for (const group of sources.flat()) {
    const others = new Set(group.files.flatMap(({ path }) => holders.get(folded(path)) ?? []))
    const isNewest = [...others].every((other) => timeOf(group) > timeOf(other))
    if (!isNewest) dropped.add(group)
    else {
      for (const other of others) dropped.add(other)
      for (const { path } of group.files) holders.set(folded(path), group)
    }
  }
  return sources.map((groups) => groups.filter((group) => !dropped.has(group)))
}

const AT_ONCE = 5000

async function timesOf(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const rows = await db
      .select({ id: files.id, modifiedAt: files.modifiedAt })
      .from(files)
      .where(inArray(files.id, ids.slice(start, start + AT_ONCE)))
    for (const { id, modifiedAt } of rows) times.set(id, modifiedAt.getTime())
  }
  return times
}

const natural = new Intl.Collator('en', { numeric: true })
export const inOrder = (entries: readonly SeenEntry[]): SeenEntry[] =>
  [...entries].sort((one, other) => natural.compare(one.name, other.name))

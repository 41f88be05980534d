import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type FileFacts, fileFactsSchema } from '@neuroloom/contract/engine'
import { fileReasons } from '@neuroloom/contract/file-reasons'
import { masks as limits, recipes } from '@neuroloom/contract/limits'
import type { PrepareReason } from '@neuroloom/contract/recipes/recipe'
import { inArray } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import { blobs } from '../../../infra/storage/blobs.ts'
import type { Found } from '../folders.ts'
import { isVolume, nameOf } from '../roles.ts'
import { byReason, spread } from '../samples.ts'
import { ask } from './ask.ts'
import { type Group, type Matched, matchedFolders } from './match.ts'
import { scoresOf } from './scores.ts'

/** What joining would do: by what is known of all masks, and really on a few. */
export async function preview(
  ctx: Context,
  { folderIds, turn, ...work }: Parsed<'recipes/tryAlgebra'>,
  { user }: Caller,
): Promise<Answer<'recipes/tryAlgebra'>> {
  const matched = await matchedFolders(ctx.db, user, folderIds)
  const { groups } = matched
  const facts = await factsOf(
    ctx,
    groups.flatMap(({ files }) => files),
  )
  const known = new Map(groups.map((group) => [group, foreseen(group, facts)]))
  const good = groups.filter((group) => known.get(group)?.reason === null && isLight(group))
  const some = spread(good, recipes.samples, turn)
  // What nobody looked at yet are volumes, mostly: their headers are read at once.
  const open = groups.filter((group) => known.get(group)?.isKnown === false && isOfVolumes(group))
  const looked = open.slice(0, limits.headsLooked)
  const { samples, heads } =
    some.length === 0
      ? { samples: [], heads: [] }
      : await ask(ctx, user, {
          ...{ work, samples: some.map(({ files }) => files), heads: looked.map(({ files }) => files) },
          measured: [],
        })
  for (const [index, group] of looked.entries()) known.set(group, heads[index] ?? unlooked)
  const all = [...known.values()]
  return {
    ...told(matched),
    unknown: all.filter(({ reason, isKnown }) => reason === null && !isKnown).length,
    failing: byReason([...known].map(([{ files }, { reason }]) => ({ path: files[0]?.path ?? '', reason }))),
    samples: samples.map(({ readers: _, ...sample }, index) => ({
      paths: some[index]?.files.map(({ path }) => path) ?? [],
      ...sample,
    })),
    readers: scoresOf(samples.map(({ readers }) => readers)),
  }
}

const unlooked: Foreseen = { reason: null, isKnown: false }
const isOfVolumes = ({ files }: Group): boolean => files.every(({ path }) => isVolume(path))
const isLight = ({ files }: Group): boolean =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) <= recipes.sampleBytes

function told({ folders, counts, groups, alone }: Matched) {
  const loose = groups.filter(({ by }) => by !== 'same' && by !== 'unicode')
  return {
    folders: folders.map(({ id, name }, index) => ({ id, name, masks: counts[index] ?? 0 })),
    total: groups.length,
    loose: {
      count: loose.length,
      some: loose
        .slice(0, limits.told)
        .map(({ files, by }) => ({ paths: files.map(({ path }) => path), by })),
    },
    alone: {
      count: alone.length,
      some: alone
        .slice(0, limits.told)
        .map(({ file, folder, missing }) => ({ path: file.path, folder, missing })),
    },
  }
}

type Known = { facts: FileFacts | null; reason: PrepareReason | null }
type Facts = ReadonlyMap<string, Known>

/** What was found out about files when they came in. */
async function factsOf(ctx: Context, found: readonly Found[]): Promise<Facts> {
  const rows = await ctx.db
    .select({ sha256: blobs.sha256, facts: blobs.facts, reason: blobs.reason })
    .from(blobs)
    .where(inArray(blobs.sha256, [...new Set(found.map(({ sha256 }) => sha256))]))
  return new Map(
    rows.map(({ sha256, facts, reason }) => {
      const bad = fileReasons.find((one) => one === reason)
      const known = fileFactsSchema.safeParse(facts).data ?? null
      return [sha256, { facts: known, reason: bad ? { name: bad, params: {} } : null }]
    }),
  )
}

type Foreseen = { reason: PrepareReason | null; isKnown: boolean }

/** Why a group would fail, as far as sizes and spacings tell. */
function foreseen({ files }: Group, facts: Facts): Foreseen {
  const known = files.map(({ path, sha256 }) => ({ file: nameOf(path), ...facts.get(sha256) }))
  const broken = known.find(({ reason }) => reason)
  if (broken?.reason) return { reason: broken.reason, isKnown: true }
  const [first, ...others] = known
  for (const { file, facts: head } of others) {
    if (!first?.facts || !head) continue
    const { width, height } = head
    if (sizeOf(first.facts) !== sizeOf(head))
      return { reason: { name: 'sizes_differ', params: { file, width, height } }, isKnown: true }
    if (!isSameGrid(first.facts, head))
      return { reason: { name: 'grids_differ', params: { file } }, isKnown: true }
  }
  return { reason: null, isKnown: known.every(({ facts: head }) => head) }
}

const sizeOf = ({ width, height, depth }: FileFacts): string => `${width} ${height} ${depth}`

/** Shares of a side that say the same; the engine looks at the corners, too. */
const NEARLY = 0.01

const isSameGrid = (one: FileFacts, other: FileFacts): boolean =>
  (one.orientation === null || other.orientation === null || one.orientation === other.orientation) &&
  (one.spacing ?? []).every((side, axis) => Math.abs(side - (other.spacing?.[axis] ?? side)) <= NEARLY * side)

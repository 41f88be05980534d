import { viewing as limits } from '@neuroloom/contract/limits'
import type { OverlayCandidate } from '@neuroloom/contract/reading/overlays'
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../infra/context.ts'
import type { Db } from '../../../../infra/db.ts'
import { isNamedImage } from '../../../../infra/reader/kinds.ts'
import type { Eyes, SeenFile } from '../../access.ts'
import { likePattern } from '../../listing-question.ts'
import { files } from '../../tables.ts'
import { isSeen } from '../eyes.ts'
import { labelFilesNear } from './label-files.ts'
import { beginningOf, isLikely } from './partners.ts'

/**
 * Files of labels around an image; images of its folder, and those in folders below and beside it that are called like its
 * mask. Likely ones first.
 */
export async function candidatesOf(ctx: Context, eyes: Eyes, image: SeenFile): Promise<OverlayCandidate[]> {
  const near = await labelFilesNear(ctx, eyes, image)
  // What other folders are called is their owner's own affair.
  const folderOf = (folder: string): string => (image.access === 'own' ? folder : '')
  return [
    ...near.labels.map(({ id, name, folder, isLikely: isOwn }) => ({
      ...{ id, name, folder: folderOf(folder), isLikely: isOwn },
      kind: 'labels' as const,
    })),
    ...(await masksOf(ctx, eyes, image)).map(({ folder, ...mask }) => ({
      ...mask,
      folder: folderOf(folder),
      kind: 'mask' as const,
    })),
  ]
    .map((one) => ({ ...one, reader: null }))
    .sort((one, other) => Number(other.isLikely) - Number(one.isLikely))
}

async function masksOf(
  { db }: Context,
  eyes: Eyes,
  image: SeenFile,
): Promise<(Found & { isLikely: boolean })[]> {
  const own = await nameOf(db, image.parentId)
  const beside = await imagesIn(db, image, eq(parent, image.parentId ?? ''), limits.overlaysBeside)
  const seen = await eyes.among(
    image,
    beside.map(({ id }) => id),
  )
  const near = await nearOf(db, image)
  const named = near.filter(({ name, folder }) =>
    isLikely({ name: image.name, folder: own }, { name, folder }),
  )
  const inSight = await Promise.all(named.slice(0, limits.overlaysNear).map(({ id }) => isSeen(eyes, id)))
  return [
    ...named.filter((_, index) => inSight[index]).map((one) => ({ ...one, isLikely: true })),
    ...beside
      .filter(({ id }) => seen.has(id))
      .map(({ id, name }) => {
        const isMask = isLikely({ name: image.name, folder: own }, { name, folder: own })
        return { id, name, folder: '', isLikely: isMask }
      })
      // Slices of a series are no masks of each other.
      .filter(({ name, isLikely: isMask }) => isMask || !(isSlice(image.name) && isSlice(name))),
  ]
}

const parent = sql`coalesce(${files.parentId}, '')`
const isSlice = (name: string): boolean => !/\.[a-z]\w*$/i.test(name) || /\.(dcm|dicom|ima)$/i.test(name)

type Found = { id: string; name: string; folder: string }

async function imagesIn(db: Db, image: SeenFile, where: SQL, limit: number): Promise<Found[]> {
  const found = await db
    .select({ id: files.id, name: files.name, parentId: files.parentId })
    .from(files)
    .where(and(eq(files.ownerId, image.ownerId), eq(files.kind, 'file'), isNull(files.recycledAt), where))
    .orderBy(files.sortName, files.id)
    .limit(limit)
  return found
    .filter(({ id, name }) => id !== image.id && isNamedImage(name))
    .map(({ id, name, parentId }) => ({ id, name, folder: parentId ?? '' }))
}

/** In the folders below the image's own and beside it; how names begin keeps large ones out. */
async function nearOf(db: Db, image: SeenFile): Promise<Found[]> {
  const beginning = beginningOf(image.name)
  if (beginning === '') return []
  const above = image.parentId === null ? null : await parentOf(db, image.parentId)
  const folders = await db
    .select({ id: files.id, name: files.name })
    .from(files)
    .where(
      and(
        eq(files.ownerId, image.ownerId),
        eq(files.kind, 'folder'),
        isNull(files.recycledAt),
        image.parentId === null
          ? isNull(files.parentId)
          : sql`(${files.parentId} = ${image.parentId} or (${parent} = ${above ?? ''} and ${files.id} <> ${image.parentId}))`,
      ),
    )
    .limit(limits.overlaysBeside)
  if (folders.length === 0) return []
  const names = new Map(folders.map(({ id, name }) => [id, name]))
  const where = and(
    inArray(files.parentId, [...names.keys()]),
    sql`${files.searchName} like ${likePattern(beginning)}`,
  )
  const found = where ? await imagesIn(db, image, where, limits.overlaysBeside) : []
  return found.map((one) => ({ ...one, folder: names.get(one.folder) ?? '' }))
}

async function parentOf(db: Db, id: string): Promise<string | null> {
  const [found] = await db.select({ parentId: files.parentId }).from(files).where(eq(files.id, id))
  return found?.parentId ?? null
}

async function nameOf(db: Db, id: string | null): Promise<string> {
  if (id === null) return ''
  const [found] = await db.select({ name: files.name }).from(files).where(eq(files.id, id))
  return found?.name ?? ''
}

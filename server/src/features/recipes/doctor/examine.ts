import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { images, recipes as limits } from '@neuroloom/contract/limits'
import type { Repair } from '@neuroloom/contract/recipes/repair'
import { eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { requireEntry } from '../../files/access.ts'
import { files } from '../../files/tables.ts'
import { chosenFiles, type Found, foldersBelow, pathsOf } from '../folders.ts'
import { refused } from '../refused.ts'
import { folderOf, isBelow, roleOf } from '../roles.ts'
import { isMaskFolder, type Pair, pairUp, saysMask } from './pairs.ts'

type Member = { id: string }
type Stored = { sha256: string }

/** As many pairs as one look takes; the page asks for the next ones. */
export async function examine(
  ctx: Context,
  { folderId, maskIds, from }: Parsed<'recipes/examine'>,
  { user }: Caller,
): Promise<Answer<'recipes/examine'>> {
  const {
    pairs,
    images: imagesAlone,
    masks: masksAlone,
    ...about
  } = await pairsOf(ctx, user, folderId, maskIds)
  const some = slice(pairs, from)
  const looks = await look(
    ctx,
    user,
    some.map(({ image, mask }) => ({ image, mask, repairs: null })),
  )
  const next = from + some.length
  return {
    total: pairs.length,
    next: next < pairs.length ? next : null,
    pairs: some.map(({ image, mask, by }, index) => {
      const { image: imageLook = null, mask: maskLook = null, ...reasons } = looks[index] ?? unread
      return {
        ...{ image: named(image), mask: named(mask), by, imageLook, maskLook },
        ...{ imageReason: reasons.imageReason, maskReason: reasons.maskReason },
      }
    }),
    imagesAlone: imagesAlone.map(named),
    masksAlone: masksAlone.map(named),
    ...about,
  }
}

const tooLarge = { name: 'too_large' as const, params: {} }
const unread = { image: null, mask: null, imageReason: tooLarge, maskReason: null, shown: null }
const named = ({ id, path }: Found) => ({ id, path })

/** Of a folder that the member may see, as it is now. */
export async function pairsOf(
  ctx: Pick<Context, 'db'>,
  member: Member,
  folderId: string,
  maskIds: string[] | null,
) {
  const { db } = ctx
  const { folder, found } = await chosenFiles(db, member, { folderId, below: true })
  const pictures = found.filter(({ path }) => roleOf(path) === 'image')
  if (pictures.length > 2 * limits.pairs)
    throw fail('too_many_files', { limit: 2 * limits.pairs, count: pictures.length })
  const holding = new Map<string, number>()
  for (const { path } of pictures) {
    const above = folderOf(path).join('/')
    holding.set(above, (holding.get(above) ?? 0) + 1)
  }
  const folders = [{ id: folderId, path: '' }, ...(await foldersBelow(db, folderId))].flatMap(
    ({ id, path }) => {
      const count = holding.get(path)
      return count === undefined ? [] : [{ id, path, images: count }]
    },
  )
  const likely = folders.filter(({ path }) => path !== '' && isMaskFolder(path)).map(({ id }) => id)
  const chosen = maskIds ?? likely
  const below = await pathsOf(db, folderId, chosen)
  const isMask = ({ path }: Found): boolean => (chosen.length > 0 ? isBelow(path, below) : saysMask(path))
  const paired = pairUp(
    pictures.filter((file) => !isMask(file)),
    pictures.filter(isMask),
  )
  if (paired.pairs.length + paired.masks.length === 0) throw fail('recipe_no_pairs')
  return { folder, folders, maskIds: chosen, ...paired }
}

function slice(pairs: readonly Pair<Found>[], from: number): Pair<Found>[] {
  const some: Pair<Found>[] = []
  let bytes = 0
  for (const pair of pairs.slice(from, from + limits.pairsPerCall)) {
    bytes += pair.image.sizeBytes + pair.mask.sizeBytes
    if (some.length > 0 && bytes > limits.pairBytes) break
    some.push(pair)
  }
  return some
}

export async function tryRepair(
  ctx: Context,
  { imageId, maskId, repairs }: Parsed<'recipes/tryRepair'>,
  { user }: Caller,
): Promise<Answer<'recipes/tryRepair'>> {
  const [image, mask] = [await storedAt(ctx, user, imageId), await storedAt(ctx, user, maskId)]
  const [told] = await look(ctx, user, [{ image, mask, repairs }])
  return told?.shown ?? null
}

async function storedAt({ db }: Context, member: Member, id: string): Promise<Stored> {
  await requireEntry(db, member, id, 'view')
  const [row] = await db.select({ sha256: files.sha256 }).from(files).where(eq(files.id, id))
  if (!row?.sha256) throw fail('missing')
  return { sha256: row.sha256 }
}

type Question = { image: Stored; mask: Stored; repairs: Repair[] | null }

async function look(ctx: Context, { id }: Member, questions: readonly Question[]) {
  const told = await ctx.exams
    .ask(id, async (folder) => {
      for (const [index, { image, mask }] of questions.entries()) {
        await ctx.storage.linkInto(image.sha256, join(folder, `${index}.image`))
        await ctx.storage.linkInto(mask.sha256, join(folder, `${index}.mask`))
      }
      const asked = {
        ...{ maxPixels: images.maxPixels, memoryBytes: limits.memoryBytes, side: limits.repairSide },
        pairs: questions.map(({ repairs }, index) => ({
          ...{ image: `${index}.image`, mask: `${index}.mask`, repairs },
        })),
      }
      await writeFile(join(folder, 'examine.json'), JSON.stringify(asked))
    })
    .catch(refused)
  return told.pairs
}

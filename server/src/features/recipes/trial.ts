import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { fileFactsSchema } from '@neuroloom/contract/engine'
import { fileReasons } from '@neuroloom/contract/file-reasons'
import { images, recipes as limits } from '@neuroloom/contract/limits'
import { isToContent, type PrepareReason } from '@neuroloom/contract/recipes/recipe'
import { inArray } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { mayBeDicom } from '../files/service.ts'
import { type DicomItem, dicomItems, madeOfDicom } from './dicom.ts'
import { chosenFiles, type Found, foldersBelow, pathsOf } from './folders.ts'
import { refused } from './refused.ts'
import { isBelow, isVolume, nameOf, roleOf, stemOf } from './roles.ts'
import { byReason, spread } from './samples.ts'

type Head = { width: number; height: number; channels: number; isVolume: boolean; isMask: boolean }
type Image = Pick<Found, 'path' | 'sha256' | 'sizeBytes'> & {
  isMask: boolean
  head: Head | null
  reason: PrepareReason | null
  dicom?: { files: Found[]; as: NonNullable<DicomItem['dicom']> }
}

/** What a recipe would do: by what is known of all images, and really on a few. */
export async function trial(
  ctx: Context,
  { turn, recipe, ...chosen }: Parsed<'recipes/try'>,
  { user }: Caller,
): Promise<Answer<'recipes/try'>> {
  const { found } = await chosenFiles(ctx.db, user, chosen)
  const masks = await pathsOf(ctx.db, chosen.folderId, chosen.maskIds)
  const roles = found.map((file) => ({ file, role: roleOf(file.path) }))
  const pictures = roles.flatMap(({ file, role }) => (role === 'image' ? [file] : []))
  const mayBe = found.filter(({ path }) => mayBeDicom(path))
  const count = pictures.length + mayBe.length
  if (count > limits.files) throw fail('too_many_files', { limit: limits.files, count })
  const dicom = await ofDicom(ctx, { found, mayBe, masks, as: chosen.dicom })
  const all = [...(await known(ctx, pictures, masks)), ...dicom]
  if (all.length === 0) throw fail('recipe_nothing')
  const heads = distinct(all)
  const { samples, refused: notShown } = await readable(ctx, chosenSamples(all, turn))
  const beside = recipe.steps.some(isToContent) ? imagesOf(samples, all) : new Map<Image, Image>()
  const tried = await ctx.trials
    .ask(user.id, async (folder) => {
      for (const [index, { sha256 }] of samples.entries())
        await ctx.storage.linkInto(sha256, join(folder, String(index)))
      for (const [index, one] of samples.entries()) {
        const image = beside.get(one)
        if (image) await ctx.storage.linkInto(image.sha256, join(folder, `${index}.image`))
      }
      const asked = {
        recipe,
        ...{ maxPixels: images.maxPixels, memoryBytes: limits.memoryBytes, side: limits.sampleSide },
        heads: heads.map(({ head }) => head),
        samples: samples.map((one, index) => ({
          ...{ path: String(index), isMask: one.isMask },
          image: beside.has(one) ? `${index}.image` : null,
        })),
      }
      await writeFile(join(folder, 'try.json'), JSON.stringify(asked))
    })
    .catch(refused)
  const isUsed = all.filter(({ isMask }) => isMask)
  return {
    counts: {
      images: all.length - isUsed.length,
      masks: isUsed.length,
      labels: roles.filter(({ role }) => role === 'labels').length,
      others: roles.filter(({ role }) => role === 'other').length - dicomFiles(dicom),
      dicom: dicom.length,
    },
    unknown:
      all.filter(({ head, reason }) => head === null && reason === null).length +
      Math.max(0, mayBe.length - limits.dicomLooked),
    withoutMask: withoutMask(all),
    failing: failing(all, {
      byHead: new Map(heads.map(({ key }, index) => [key, tried.heads[index] ?? null])),
      // Heads do not tell of further pictures in a file, and of volumes there are none.
      byPath: new Map([
        ...tried.samples.map(({ reason }, index) => [samples[index]?.path ?? '', reason] as const),
        ...notShown.map(({ name, reason }) => [name, reason] as const),
      ]),
    }),
    usual: usual(heads),
    largest: largest(heads),
    colours: [...new Set(tried.samples.flatMap(({ colours }) => colours))].sort(),
    samples: [
      ...tried.samples.map(({ colours: _, ...one }, index) => ({
        name: samples[index]?.path ?? '',
        isMask: samples[index]?.isMask ?? false,
        ...one,
      })),
      ...notShown,
    ],
    folders: await foldersWithImages(ctx, chosen.folderId, [...pictures, ...dicom]),
  }
}

type Looked = {
  found: readonly Found[]
  mayBe: readonly Found[]
  masks: readonly string[]
  as: Asked['dicom']
}
type Asked = Parsed<'recipes/try'>

/** Of masks the images of their names; of DICOM only the work makes them. */
function imagesOf(samples: readonly Image[], all: readonly Image[]): Map<Image, Image> {
  const plain = all.filter(({ isMask, dicom }) => !isMask && !dicom)
  const byStem = new Map(plain.map((image) => [nameOf(stemOf(image.path)), image]))
  const beside = new Map<Image, Image>()
  for (const one of samples) {
    const image = one.isMask ? byStem.get(nameOf(stemOf(one.path))) : undefined
    if (image) beside.set(one, image)
  }
  return beside
}

/** Of very many files the first are looked at. */
async function ofDicom(ctx: Context, { found, mayBe, masks, as }: Looked): Promise<Image[]> {
  const items = await dicomItems(ctx, {
    candidates: mayBe.slice(0, limits.dicomLooked),
    others: found.filter(({ path }) => !mayBeDicom(path)),
    ...{ as, isMask: (path: string) => isBelow(path, masks) },
  })
  return items.map(({ path, files, role, reason, head, dicom }) => {
    const isMask = role === 'mask'
    const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
    return {
      ...{ path, sha256: files[0]?.sha256 ?? '', sizeBytes, isMask, reason },
      head: head && { ...head, isMask },
      ...(dicom ? { dicom: { files, as: dicom } } : {}),
    }
  })
}

const dicomFiles = (images: readonly Image[]): number =>
  images.reduce((sum, { dicom }) => sum + (dicom?.files.length ?? 0), 0)

/** Samples as the engine reads them: DICOM as what is made of it. */
async function readable(
  ctx: Context,
  chosen: Image[],
): Promise<{ samples: Image[]; refused: Answer<'recipes/try'>['samples'] }> {
  const wanted = chosen.flatMap((image) => (image.dicom ? [{ image, ...image.dicom }] : []))
  const made = await madeOfDicom(
    ctx,
    wanted.map(({ as, files }) => ({
      dicom: as,
      files: files.map((file) => ({ ...file, name: nameOf(file.path) })),
    })),
    { mayWait: limits.samples },
  )
  const byImage = new Map(wanted.map(({ image }, index) => [image, made[index]]))
  const samples: Image[] = []
  const unread: Answer<'recipes/try'>['samples'] = []
  for (const image of chosen) {
    const one = byImage.get(image)
    if (one && 'reason' in one)
      unread.push({ name: image.path, isMask: image.isMask, before: null, after: [], reason: one.reason })
    else samples.push(one ? { ...image, sha256: one.sha256 } : image)
  }
  return { samples, refused: unread }
}

/** Pictures with what was found out about them when they came in. */
async function known(ctx: Context, pictures: readonly Found[], masks: readonly string[]): Promise<Image[]> {
  const digests = [...new Set(pictures.map(({ sha256 }) => sha256))]
  const rows = await ctx.db
    .select({ sha256: blobs.sha256, facts: blobs.facts, reason: blobs.reason })
    .from(blobs)
    .where(inArray(blobs.sha256, digests))
  const bySha = new Map(rows.map((row) => [row.sha256, row]))
  return pictures.map((file) => {
    const isMask = isBelow(file.path, masks)
    const row = bySha.get(file.sha256)
    const facts = fileFactsSchema.safeParse(row?.facts).data
    const bad = fileReasons.find((reason) => reason === row?.reason)
    const head = facts
      ? {
          ...{ width: facts.width, height: facts.height, channels: facts.channels },
          isVolume: facts.depth !== null || isVolume(file.path),
          isMask,
        }
      : null
    return { ...file, isMask, head, reason: bad ? { name: bad, params: {} } : null }
  })
}

const keyOf = (head: Head): string => JSON.stringify(head)

/** Thousands of images have a few sizes. */
function distinct(all: readonly Image[]): { key: string; head: Head; count: number }[] {
  const counts = new Map<string, { key: string; head: Head; count: number }>()
  for (const { head } of all) {
    if (!head) continue
    const key = keyOf(head)
    const one = counts.get(key)
    if (one) one.count += 1
    else counts.set(key, { key, head, count: 1 })
  }
  return [...counts.values()].sort((one, other) => other.count - one.count)
}

function usual(heads: readonly { head: Head }[]): Answer<'recipes/try'>['usual'] {
  const [first] = heads
  return first ? { width: first.head.width, height: first.head.height, isVolume: first.head.isVolume } : null
}

function largest(heads: readonly { head: Head }[]): Answer<'recipes/try'>['largest'] {
  if (heads.length === 0) return null
  const most = (side: 'width' | 'height'): number => Math.max(...heads.map(({ head }) => head[side]))
  return { width: most('width'), height: most('height') }
}

/** Spread over the folder, others with each turn; where there are masks, some of these. What is known to be broken is not shown. */
function chosenSamples(all: readonly Image[], turn: number): Image[] {
  const good = all.filter(({ reason, sizeBytes }) => reason === null && sizeBytes <= limits.sampleBytes)
  const masks = good.filter(({ isMask }) => isMask)
  const plain = good.filter(({ isMask }) => !isMask)
  const ofMasks = plain.length === 0 ? limits.samples : Math.floor(limits.samples / 3)
  const some = spread(masks, Math.min(ofMasks, masks.length), turn)
  return [...spread(plain, limits.samples - some.length, turn), ...some]
}

function withoutMask(all: readonly Image[]): number {
  const masked = new Set(all.flatMap(({ isMask, path }) => (isMask ? [nameOf(stemOf(path))] : [])))
  if (masked.size === 0) return 0
  return all.filter(({ isMask, path }) => !isMask && !masked.has(nameOf(stemOf(path)))).length
}

type Reasons = ReadonlyMap<string, PrepareReason | null>

function failing(
  all: readonly Image[],
  { byHead, byPath }: { byHead: Reasons; byPath: Reasons },
): Answer<'recipes/try'>['failing'] {
  return byReason(
    all.map(({ head, reason, path }) => ({
      path,
      reason: reason ?? (head ? byHead.get(keyOf(head)) : null) ?? byPath.get(path) ?? null,
    })),
  )
}

async function foldersWithImages(
  ctx: Context,
  folderId: string,
  pictures: readonly Pick<Found, 'path'>[],
): Promise<Answer<'recipes/try'>['folders']> {
  const counts = new Map<string, number>()
  for (const { path } of pictures) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const below = [{ id: folderId, path: '' }, ...(await foldersBelow(ctx.db, folderId))]
  return below.flatMap(({ id, path }) => {
    const count = counts.get(path)
    return count === undefined ? [] : [{ id, path, images: count }]
  })
}

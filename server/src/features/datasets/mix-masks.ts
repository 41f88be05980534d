/**
 * Masks that lie in no file: several made one, turned along with a picture whose camera noted how it was held, or filled in
 * from outlines.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileFacts } from '@neuroloom/contract/engine'
import { files as limits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import type { WorkerContext } from '../../infra/context.ts'
import type { CheckFile } from '../../infra/engine/engine.ts'
import { newId } from '../../infra/ids.ts'
import { addBlobs, blobs, thumbnailPath } from '../../infra/storage/blobs.ts'
import { asPng, fillIn } from './fill-outlines.ts'
import { codeBeforeJoining } from './recognise/masks/assemble.ts'
import type { MaskCode } from './recognise/masks/values.ts'
import type { Checked, Drawn, Layout, Look, Mix, Pair } from './recognise/shapes.ts'

type Size = { width: number; height: number }
type Job = { pair: Pair; mix: Mix; turn: number; drawn?: Drawn & { size: Size } }
type Made = { sha256: string; sizeBytes: number; checked: Checked }

/** So many a round: what was made in earlier ones is announced again, so that nothing of it is swept meanwhile. */
const ROUND = 100

/** The layout with what each pair's mask is known as, and a look that knows it. */
export async function withMixedMasks<L extends Layout>(
  ctx: WorkerContext,
  layout: L,
  look: Look,
): Promise<{ layout: L; look: Look }> {
  if (!('pairs' in layout) || (layout.layout !== 'images_masks' && layout.layout !== 'volume_pairs'))
    return { layout, look }
  const jobs = layout.pairs.flatMap((pair) => jobOf(pair, look) ?? [])
  if (jobs.length === 0) return { layout, look }
  const code = codeBeforeJoining(layout, look)
  const made = new Map<string, Made>()
  for (let start = 0; start < jobs.length; start += ROUND) {
    const round = jobs.slice(start, start + ROUND)
    await makeRound(ctx, { round, isVolume: layout.layout === 'volume_pairs', look, code }, made)
    const kept = [...made.values()].filter(({ sha256 }) => sha256 !== '')
    await addBlobs(ctx.db, kept)
  }
  const pairs = layout.pairs.map((pair) =>
    made.has(madeName(pair)) ? { ...pair, made: madeName(pair) } : pair,
  )
  return {
    layout: { ...layout, pairs },
    look: {
      sha256: (path) => made.get(path)?.sha256 ?? look.sha256(path),
      check: (path) => made.get(path)?.checked ?? look.check(path),
    },
  }
}

/** No file is called so: no path begins with a slash. */
const madeName = ({ image }: Pair): string => `/mask of ${image}`

/** Null where the mask is what lies in its file, or a part of it cannot be read. */
function jobOf(pair: Pair, look: Look): Job | null {
  const mix: Mix = pair.mix ?? { how: 'any', paths: [pair.label] }
  const image = look.check(pair.image).facts
  if (pair.drawn) {
    return image && { pair, mix, turn: 1, drawn: { ...pair.drawn, size: image } }
  }
  const masks = mix.paths.map((path) => look.check(path).facts)
  const [mask] = masks
  if (!image || !mask || masks.includes(null)) return null
  const turn = wasDrawnUnturned(image, mask) ? (image.turn ?? 1) : 1
  return pair.mix === undefined && turn === 1 ? null : { pair, mix, turn }
}

/** The mask is as high as the stored picture, which was turned to its side, is wide. */
function wasDrawnUnturned(image: FileFacts, mask: FileFacts): boolean {
  if ((image.turn ?? 1) < 5 || image.width === image.height) return false
  return (mask.turn ?? 1) === 1 && mask.width === image.height && mask.height === image.width
}

type Round = { round: Job[]; isVolume: boolean; look: Look; code: MaskCode | null }

async function makeRound(
  ctx: WorkerContext,
  { round, isVolume, look, code }: Round,
  made: Map<string, Made>,
) {
  const areSmeared = round.some(({ mix }) => mix.paths.some((path) => look.check(path).facts?.smeared))
  const meaning = code && { values: code.maskValues, nearest: areSmeared }
  const folder = join(ctx.storage.stagingFolder, 'checks', newId())
  await mkdir(folder, { recursive: true })
  try {
    const laidOut: CheckFile[] = []
    for (const [index, { pair, mix, turn, drawn }] of round.entries()) {
      if (drawn) {
        const path = join(folder, `${index}`)
        const filled = fillIn(drawn)
        // Outlines of a picture of another size are told as such.
        if (filled.refused && isSizeOf(pair.drawn?.size ?? null, drawn.size)) {
          const refused = { facts: null, reason: filled.refused }
          made.set(madeName(pair), { sha256: '', sizeBytes: 0, checked: refused })
          continue
        }
        await writeFile(path, await asPng(filled.pixels, drawn.size))
        laidOut.push({ id: String(index), path, role: 'mask' })
        continue
      }
      const paths = mix.paths.map((_, part) => join(folder, `${index}-${part}`))
      for (const [part, path] of paths.entries())
        await ctx.storage.linkInto(look.sha256(mix.paths[part] ?? ''), path)
      const [path = '', ...others] = paths
      const role = isVolume ? ('volume_mask' as const) : ('mask' as const)
      laidOut.push({
        ...{ id: String(index), path, role },
        mix: { how: mix.how, paths: others, kinds: mix.values ?? null, turn, code: meaning },
      })
    }
    await ctx.engine.check(laidOut, { thumbnailSize: limits.thumbnailPixels }, async (checked) => {
      const job = round[Number(checked.id)]
      if (!job) return
      const { facts, reason } = checked
      const name = madeName(job.pair)
      const bytes = job.drawn ? join(folder, checked.id) : checked.made
      if (facts === null || bytes === null) {
        const refused = { facts: null, reason: reason ?? ('not_an_image' as const) }
        made.set(name, { sha256: '', sizeBytes: 0, checked: refused })
        return
      }
      const kept = await keep(ctx, { path: bytes, thumbnail: checked.thumbnail, facts })
      made.set(name, { ...kept, checked: { facts, reason: null } })
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const isSizeOf = (told: Size | null, { width, height }: Size): boolean =>
  told === null || (told.width === width && told.height === height)

type Finished = { path: string; thumbnail: string | null; facts: FileFacts }

async function keep(
  ctx: WorkerContext,
  { path, thumbnail, facts }: Finished,
): Promise<Pick<Made, 'sha256' | 'sizeBytes'>> {
  const staged = join(ctx.storage.stagingFolder, newId())
  await rename(path, staged)
  const bytes = await readFile(staged)
  const blob = { sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length }
  await ctx.storage.adopt(staged, blob.sha256)
  await addBlobs(ctx.db, [blob])
  if (thumbnail !== null) {
    const target = thumbnailPath(ctx.config.dataDir, blob.sha256)
    await mkdir(dirname(target), { recursive: true })
    await rename(thumbnail, target)
  }
  await ctx.db
    .update(blobs)
    .set({ facts, reason: null, checkedAt: ctx.now() })
    .where(eq(blobs.sha256, blob.sha256))
  return blob
}

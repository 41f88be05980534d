/**
 * Pages of TIFF files, each with the page of the mask of the same number: every page is learned from. Pages of one file are of one
 * patient, whatever their number.
 */
import { buffer } from 'node:stream/consumers'
import type { Problem } from '@neuroloom/contract/datasets'
import type { WorkerContext } from '../../infra/context.ts'
import { addBlobs } from '../../infra/storage/blobs.ts'
import { checkAll } from './check.ts'
import { keepBytes } from './keep-bytes.ts'
import type { Assembled, Layout, Look, Pair } from './recognise/shapes.ts'
import { tiffPages } from './tiff-split.ts'

type Read<L> = { layout: L; look: Look; stacks: ReadonlyMap<string, string> }

/** The layout with a pair a page, a look that knows them, and of which file each page is. */
export async function withPages<L extends Layout>(
  ctx: WorkerContext,
  { layout, look }: { layout: L; look: Look },
): Promise<Read<L>> {
  const none = { layout, look, stacks: new Map<string, string>() }
  if (layout.layout !== 'images_masks') return none
  const made = new Map<string, MadePage>()
  const stacks = new Map<string, string>()
  const problems: Problem[] = []
  const pairs: Pair[] = []
  for (const pair of layout.pairs) {
    const [pages, maskPages] = [pair.image, pair.label].map((path) => look.check(path).facts?.pages ?? 1)
    if (!isPlain(pair) || pages === undefined || maskPages === undefined || pages < 2 || maskPages < 2) {
      pairs.push(pair)
      continue
    }
    if (pages !== maskPages) {
      problems.push({ path: pair.image, reason: 'pages_differ', params: { pages, maskPages } })
      continue
    }
    const split = await splitPair(ctx, { pair, pages, look })
    // What cannot be taken apart is read as its first page, and the rest is named.
    if (split === null) pairs.push(pair)
    for (const page of split ?? []) {
      for (const one of [page.image, page.mask]) made.set(one.path, one)
      stacks.set(page.image.path, pair.image)
      pairs.push({ ...pair, image: page.image.path, label: page.mask.path })
    }
    // What was made before is announced again, so that nothing of it is swept meanwhile.
    await addBlobs(ctx.db, [...made.values()])
  }
  const check = await checkAll(ctx, [...made.values()], async () => undefined)
  return {
    layout: { ...layout, pairs, problems: [...(layout.problems ?? []), ...problems] },
    look: {
      sha256: (path) => made.get(path)?.sha256 ?? look.sha256(path),
      check: (path) => (made.has(path) ? check(path) : look.check(path)),
    },
    stacks,
  }
}

/** What was assembled, with the file of each page. */
export const withStacks = (found: Assembled, stacks: ReadonlyMap<string, string>): Assembled => ({
  ...found,
  items: found.items.map((item) => {
    const stack = stacks.get(item.image)
    return stack === undefined ? item : { ...item, stack }
  }),
})

const isPlain = ({ mix, drawn, region }: Pair): boolean =>
  mix === undefined && drawn === undefined && region === undefined

type MadePage = { path: string; role: 'image' | 'mask'; sha256: string; sizeBytes: number }
type Asked = { pair: Pair; pages: number; look: Look }

/** Null where a file is no TIFF that can be taken apart, or has other pages than were counted. */
async function splitPair(
  ctx: WorkerContext,
  { pair, pages, look }: Asked,
): Promise<{ image: MadePage; mask: MadePage }[] | null> {
  const images = await pagesIn(ctx, look.sha256(pair.image))
  const masks = await pagesIn(ctx, look.sha256(pair.label))
  if (images?.length !== pages || masks?.length !== pages) return null
  const split: { image: MadePage; mask: MadePage }[] = []
  for (const [index, bytes] of images.entries()) {
    const mask = masks[index]
    if (!mask) return null
    const number = index + 1
    split.push({
      image: { path: `${pair.image}#${number}`, role: 'image', ...(await keepBytes(ctx, bytes)) },
      mask: { path: `${pair.label}#${number}`, role: 'mask', ...(await keepBytes(ctx, mask)) },
    })
  }
  return split
}

/** Larger files are read as their first page. */
const MOST_BYTES = 1_500_000_000

async function pagesIn(ctx: WorkerContext, sha256: string): Promise<Buffer[] | null> {
  const bytes = await buffer(ctx.storage.read(sha256))
  return bytes.length > MOST_BYTES ? null : tiffPages(bytes)
}

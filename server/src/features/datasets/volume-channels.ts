/** Volumes with a fourth axis (the sequences of a Decathlon brain, moments): one of them is learned from, chosen by the owner. */
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { datasets as limits } from '@neuroloom/contract/limits'
import type { Reading } from '@neuroloom/contract/reading/reading'
import * as z from 'zod'
import type { WorkerContext } from '../../infra/context.ts'
import { addBlobs } from '../../infra/storage/blobs.ts'
import { checkAll } from './check.ts'
import { keepBytes } from './keep-bytes.ts'
import { listOf, parsed } from './recognise/listed-pairs.ts'
import type { Folder, Layout, Look } from './recognise/shapes.ts'

type Asked = { layout: Layout; look: Look; folder: Folder; reading: Pick<Reading, 'images'> }
type Volume = { bytes: Buffer; size: number[]; dims: Dims }
type Dims = { at: number; width: 2 | 8; big: boolean; offset: number; voxelBytes: number }

/** The layout with what can be chosen, and a look at the chosen volumes in place of the files with all of them. */
export async function withChosenChannel(
  ctx: WorkerContext,
  { layout, look, folder, reading }: Asked,
): Promise<{ layout: Layout; look: Look }> {
  if (layout.layout !== 'volume_pairs' || layout.channels) return { layout, look }
  const images = layout.pairs.map(({ image }) => image)
  const several = images.filter((image) => look.check(image).reason === 'several_volumes')
  if (several.length === 0) return { layout, look }
  const names = namesIn(await listedText(folder))
  const counts = new Map<string, number>()
  const made = new Map<string, { path: string; sha256: string; sizeBytes: number }>()
  const chosen = Number(reading.images ?? 0)
  for (const image of several) {
    const volume = await readVolume(ctx, look.sha256(image))
    const count = volume?.size.slice(3).reduce((all, side) => all * side, 1) ?? 0
    counts.set(image, count)
    if (!volume || !(chosen < count)) continue
    const kept = await keepBytes(ctx, await packed(channelOf(volume, chosen)))
    made.set(image, { path: image, ...kept })
    // What was made before is announced again, so that nothing of it is swept meanwhile.
    await addBlobs(ctx.db, [...made.values()])
  }
  const most = Math.max(...counts.values())
  if (most < 1) return { layout, look }
  const files = [...made.values()].map((file) => ({ ...file, role: 'volume' as const }))
  const check = await checkAll(ctx, files, async () => undefined)
  return {
    layout: {
      ...layout,
      channels: Array.from({ length: most }, (_, index) => ({
        key: String(index),
        name: names.get(index) ?? String(index + 1),
        items: [...counts.values()].filter((count) => index < count).length,
      })),
      channel: String(chosen),
    },
    look: {
      sha256: (path) => made.get(path)?.sha256 ?? look.sha256(path),
      check: (path) => (made.has(path) ? check(path) : look.check(path)),
    },
  }
}

/** All sequences of one study together, unpacked. */
const MOST_BYTES = 1_500_000_000
const unpacked = promisify(gunzip)
const packed = promisify(gzip)

/** Null for what is too large to be opened here, or no NIfTI after all. */
async function readVolume(ctx: WorkerContext, sha256: string): Promise<Volume | null> {
  const stored = await buffer(ctx.storage.read(sha256))
  try {
    const isPacked = stored[0] === 0x1f && stored[1] === 0x8b
    const bytes = isPacked ? await unpacked(stored, { maxOutputLength: MOST_BYTES }) : stored
    const dims = dimsOf(bytes)
    if (!dims) return null
    const [axes = 0, ...sides] = Array.from({ length: 8 }, (_, index) => numberAt(bytes, dims, index))
    const size = sides.slice(0, axes)
    const whole = dims.offset + size.reduce((all, side) => all * side, 1) * dims.voxelBytes
    return axes >= 4 && axes <= 7 && size.every((side) => side > 0) && whole <= bytes.length
      ? { bytes, size, dims }
      : null
  } catch {
    return null
  }
}

/** Where a header of NIfTI-1 or NIfTI-2 has its sides, in either order of bytes. */
function dimsOf(bytes: Buffer): Dims | null {
  if (bytes.length < 352) return null
  for (const big of [false, true]) {
    const length = big ? bytes.readInt32BE(0) : bytes.readInt32LE(0)
    const short = (at: number): number => (big ? bytes.readInt16BE(at) : bytes.readInt16LE(at))
    if (length === 348) {
      const offset = big ? bytes.readFloatBE(108) : bytes.readFloatLE(108)
      return { at: 40, width: 2, big, offset, voxelBytes: short(72) / 8 }
    }
    if (length === 540 && bytes.length >= 544) {
      const offset = Number(big ? bytes.readBigInt64BE(168) : bytes.readBigInt64LE(168))
      return { at: 16, width: 8, big, offset, voxelBytes: short(14) / 8 }
    }
  }
  return null
}

function numberAt(bytes: Buffer, { at, width, big }: Dims, index: number): number {
  const place = at + index * width
  if (width === 2) return big ? bytes.readInt16BE(place) : bytes.readInt16LE(place)
  return Number(big ? bytes.readBigInt64BE(place) : bytes.readBigInt64LE(place))
}

/** The same header with three axes, and the voxels of one volume: the first three axes vary fastest. */
function channelOf({ bytes, size, dims }: Volume, channel: number): Buffer {
  const length = (size[0] ?? 1) * (size[1] ?? 1) * (size[2] ?? 1) * dims.voxelBytes
  const header = Buffer.from(bytes.subarray(0, dims.offset))
  const sides = [3, ...size.slice(0, 3), 1, 1, 1, 1]
  for (const [index, side] of sides.entries()) {
    const place = dims.at + index * dims.width
    if (dims.width === 2) dims.big ? header.writeInt16BE(side, place) : header.writeInt16LE(side, place)
    else dims.big ? header.writeBigInt64BE(BigInt(side), place) : header.writeBigInt64LE(BigInt(side), place)
  }
  const start = dims.offset + channel * length
  return Buffer.concat([header, bytes.subarray(start, start + length)])
}

/** Decathlon calls them modalities, nnU-Net channels. */
const named = z.object({
  modality: z.record(z.string(), z.string().max(100)).optional(),
  channel_names: z.record(z.string(), z.string().max(100)).optional(),
})

async function listedText(folder: Folder): Promise<string | null> {
  const path = listOf(folder)
  return path === null ? null : folder.read(path, limits.tableBytes)
}

function namesIn(text: string | null): ReadonlyMap<number, string> {
  const { data } = named.safeParse(parsed(text))
  const found = data?.channel_names ?? data?.modality ?? {}
  return new Map(Object.entries(found).map(([index, name]) => [Number(index), name]))
}

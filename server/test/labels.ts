/** A set to be labelled with two pictures and a volume, and steps as a page makes them. */
import { toBase64 } from '@neuroloom/contract/labelling/base64'
import { patchOf } from '@neuroloom/contract/labelling/patch'
import { fillRow, makePixels, type PixelMap, type Tile } from '@neuroloom/contract/labelling/pixels'
import type { Deed, Step } from '@neuroloom/contract/labelling/steps'
import type { Thing } from '@neuroloom/contract/labelling/things'
import sharp from 'sharp'
import { gather } from '../src/features/labelling/gather.ts'
import { labelReaders } from '../src/features/labelling/tables.ts'
import { newId } from '../src/infra/ids.ts'
import type { Session, TestServer } from './harness.ts'
import { niftiVolume } from './images.ts'
import { upload } from './uploads.ts'
import { makeWorker } from './worker.ts'

export const classes = [
  { id: 'bg', name: 'Background', colour: '#000000', use: 'background' as const },
  { id: 'cyst', name: 'Cyst', colour: '#e69f00', key: 1 },
  { id: 'stone', name: 'Stone', colour: '#56b4e9', key: 2 },
]

export const settings = {
  name: 'Kidneys',
  description: 'Cysts and stones of the first hundred',
  classes,
  marks: ['pixels' as const, 'boxes' as const, 'tags' as const],
}

export const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()

/** Gathered; the order of its images is `a.png`, `b2.png`, `b10.png`, `scan.nii.gz`. */
export async function makeSet(server: TestServer, who: Session, more: object = {}) {
  await upload(server, who, {
    files: [
      { path: 'Kidneys/b10.png', bytes: await picture(300, 40) },
      { path: 'Kidneys/b2.png', bytes: await picture(64, 48) },
      { path: 'Kidneys/a.png', bytes: await picture(32, 32) },
      { path: 'Kidneys/deep/scan.nii.gz', bytes: niftiVolume({ size: [12, 10, 8] }) },
      { path: 'Kidneys/notes.txt', bytes: Buffer.from('no image') },
    ],
  })
  const { data: listed } = await server.call('files/list', { folderId: null }, who)
  const folderId = listed.entries.find(({ name }) => name === 'Kidneys')?.id ?? ''
  const {
    data: set,
    code,
    message,
  } = await server.call('labelling/create', { ...settings, folderId, ...more }, who)
  if (code !== 10200) throw new Error(message)
  await gatherNow(server, set.id)
  const { data } = await server.call('labelling/items', { id: set.id }, who)
  return { id: set.id, folderId, items: data.items }
}

export async function gatherNow(server: TestServer, setId: string): Promise<void> {
  const worker = makeWorker(server)
  try {
    await gather(worker, setId)
  } finally {
    worker.engine.close()
  }
}

let made = 0
export const stepOf = (deed: Deed, more: Partial<Step> = {}): Step => {
  made += 1
  const id = `step-${made.toString().padStart(8, '0')}`
  return { id, stroke: id, tool: 'brush', madeAt: Date.UTC(2026, 10, 25), deed, ...more }
}

/** A filled rectangle of a segment, as a stroke on the map. */
export function rectangle(
  map: PixelMap,
  {
    x,
    y,
    z = 0,
    width,
    height,
    segment,
  }: Record<'x' | 'y' | 'width' | 'height' | 'segment', number> & { z?: number },
): Deed {
  const before = new Map<number, Tile>()
  for (let row = y; row < y + height; row++)
    fillRow(map, { y: row, z, from: x, to: x + width, segment }, (tile) => {
      const found = map.tiles.get(tile) ?? 0
      if (!before.has(tile)) before.set(tile, typeof found === 'number' ? found : found.slice())
    })
  const patch = patchOf(map, before)
  if (!patch) throw new Error('nothing was drawn')
  return { do: 'pixels', patch: toBase64(patch) }
}

export const mapOf = (width: number, height: number, depth = 1): PixelMap =>
  makePixels([width, height, depth])

export const boxThing = (id: string, more: Partial<Thing> = {}): Thing => ({
  id,
  class: 'cyst',
  place: { axis: 2, slice: 0 },
  shape: { kind: 'box', x: 1, y: 2, width: 10, height: 8, angle: 0 },
  by: 'hand',
  attributes: {},
  track: null,
  isLast: false,
  ...more,
})

export const segmentDeed = (number: number, of = 'cyst'): Deed => ({
  do: 'segment',
  before: null,
  after: { number, class: of, by: 'hand' },
})

/** As a reader whom the owner of the set named; answers the id. */
export async function nameReader(
  { ctx }: TestServer,
  { setId, reader, permission }: { setId: string; reader: Session; permission: 'read' | 'review' },
): Promise<string> {
  const row = { id: newId(), setId, userId: reader.userId, account: 'reader@example.test', permission }
  await ctx.db.insert(labelReaders).values({ ...row, addedAt: ctx.now() })
  return row.id
}

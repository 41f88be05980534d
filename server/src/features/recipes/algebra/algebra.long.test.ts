/** Thousands of masks are measured. */
import type { Answer } from '@neuroloom/contract/calls'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import type { WorkerContext } from '../../../infra/context.ts'

let server: TestServer
let worker: WorkerContext
beforeAll(async () => {
  server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })
  worker = makeWorker(server)
})
afterAll(async () => {
  worker.engine.close()
  await server.close()
})

/** A block of one value in a mask of 20 × 10, from this column on. */
function mask(from: number, value = 255, width = 20): Promise<Buffer> {
  const inside = (at: number) => at % width >= from && at % width < from + 8
  const pixels = Uint8Array.from({ length: width * 10 }, (_, at) => (inside(at) ? value : 0))
  return sharp(pixels, { raw: { width, height: 10, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer()
}

/** Folders of one study with these files, and their ids. */
async function folders(me: Session, files: Record<string, Buffer>): Promise<Map<string, string>> {
  const list = Object.entries(files).map(([path, bytes]) => ({ path: `study/${path}`, bytes }))
  await upload(server, me, { parentId: null, files: list })
  return entries(me, (await entries(me, null)).get('study') ?? '')
}

async function entries(me: Session, folderId: string | null): Promise<Map<string, string>> {
  const { data } = await server.call('files/list', { folderId }, me)
  return new Map(data.entries.map(({ name, id }) => [name, id]))
}

it('measures thousands of masks a part at a time, and names what cannot be read', async () => {
  const me = await server.signUp()
  const bytes = await mask(4)
  const many = Array.from({ length: 450 }, (_, at) => [`a/${at}.png`, bytes] as const)
  const found = await folders(me, { ...Object.fromEntries(many), 'a/broken.png': Buffer.from('x') })
  const folderId = found.get('a') ?? ''
  let broken = 0
  let measured = 0
  for (let from: number | null = 0; from !== null; ) {
    const { data }: { data: Answer<'recipes/measure'> } = await server.call(
      'recipes/measure',
      { folderId, from },
      me,
    )
    expect(data.total).toBe(451)
    measured += data.masks.length
    broken += data.masks.filter(({ reason }) => reason?.name === 'not_an_image').length
    from = data.next
  }
  expect({ measured, broken }).toEqual({ measured: 451, broken: 1 })
})

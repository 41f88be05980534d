/** Folders of drawn masks in the cloud of a member. */
import sharp from 'sharp'
import type { Session, TestServer } from './harness.ts'
import { upload } from './uploads.ts'

/** A block of one value in a mask of 20 × 10, from this column on. */
export function mask(from: number, value = 255, width = 20): Promise<Buffer> {
  const inside = (at: number) => at % width >= from && at % width < from + 8
  const pixels = Uint8Array.from({ length: width * 10 }, (_, at) => (inside(at) ? value : 0))
  return sharp(pixels, { raw: { width, height: 10, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer()
}

/** Folders of one study with these files, and their ids. */
export async function makeFolders(
  server: TestServer,
  me: Session,
  files: Record<string, Buffer>,
): Promise<Map<string, string>> {
  const list = Object.entries(files).map(([path, bytes]) => ({ path: `study/${path}`, bytes }))
  await upload(server, me, { parentId: null, files: list })
  return entriesOf(server, me, (await entriesOf(server, me, null)).get('study') ?? '')
}

export async function entriesOf(
  server: TestServer,
  me: Session,
  folderId: string | null,
): Promise<Map<string, string>> {
  const { data } = await server.call('files/list', { folderId }, me)
  return new Map(data.entries.map(({ name, id }) => [name, id]))
}

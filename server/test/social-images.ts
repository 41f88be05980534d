/** Images as pages send them, and as readers get them. */
import { join } from 'node:path'
import type { ImageAttachment } from '@neuroloom/contract/social/attachments'
import sharp from 'sharp'
import { images } from '../src/features/social/attachments/tables.ts'
import { newId } from '../src/infra/ids.ts'
import { addBlob } from '../src/infra/storage/blobs.ts'
import { headersOf, type Session, type TestServer } from './harness.ts'
import { sha256 } from './uploads.ts'

export type Taken = {
  code: number
  data: ImageAttachment & { error?: string; params?: Record<string, unknown> }
}

export async function sendImage(server: TestServer, who: Session | null, bytes: Uint8Array): Promise<Taken> {
  const response = await fetch(`${server.url}/AI/api/social/image`, {
    method: 'POST',
    headers: { ...headersOf(who), 'Content-Type': 'application/octet-stream' },
    body: Buffer.from(bytes),
  })
  // The envelope of every answer; tests look at its code first.
  return (await response.json()) as Taken
}

type Made = { width?: number; height?: number; colour?: string }

export const picture = ({ width = 60, height = 40, colour = '#336699' }: Made = {}) =>
  sharp({ create: { width, height, channels: 3, background: colour } })

/** An image that waits to be sent, as an upload leaves it: the reading program takes its time, and is tested elsewhere. */
export async function makeImage(
  { ctx }: TestServer,
  { userId }: Session,
  { width = 60, height = 40, ...made }: Made = {},
): Promise<ImageAttachment> {
  const bytes = await picture({ width, height, ...made })
    .webp()
    .toBuffer()
  const digest = sha256(bytes, 'hex')
  const stagedPath = join(ctx.storage.stagingFolder, newId())
  await ctx.storage.keepAll([{ stagedPath, bytes, sha256: digest }])
  await addBlob(ctx.db, { sha256: digest, sizeBytes: bytes.length })
  const id = newId()
  const kept = { sha256: digest, previewSha256: digest, width, height, at: ctx.now() }
  await ctx.db.insert(images).values({ id, ownerId: userId, ...kept })
  return { kind: 'image', id, width, height }
}

/** What an attachment holds for this reader: its bytes, or null. */
export async function openImage(
  server: TestServer,
  who: Session,
  id: string,
): Promise<{ url: string; previewUrl: string } | null> {
  const { data } = await server.call('social/openAttachments', { attachments: [{ kind: 'image', id }] }, who)
  const [opened] = data.opened
  return opened?.kind === 'image' ? opened : null
}

export const fetchImage = (server: TestServer, url: string, headers: Record<string, string> = {}) =>
  fetch(server.url + url, { headers })

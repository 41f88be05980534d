/** A file whose body, or all of it, is packed by gzip while it is made. */
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Piece } from './shapes.ts'

type Parts = { path: string; head: Buffer; body: Iterable<Buffer>; isHeadPacked: boolean }

export async function* packed({ path, head, body, isHeadPacked }: Parts): AsyncIterable<Piece> {
  if (!isHeadPacked) yield { path, bytes: head }
  const source = Readable.from(isHeadPacked ? withHead(head, body) : body)
  const packer = createGzip({ level: 6 })
  // What goes wrong while slices are made ends the reading, too.
  source.once('error', (error) => packer.destroy(error))
  // A packer gives buffers.
  for await (const part of source.pipe(packer)) yield { path, bytes: part as Buffer }
}

function* withHead(head: Buffer, body: Iterable<Buffer>): Iterable<Buffer> {
  yield head
  yield* body
}

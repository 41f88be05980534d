import { buffer } from 'node:stream/consumers'
import { type Manifest, manifestSchema } from '@neuroloom/contract/engine'
import type { Context } from '../../infra/context.ts'

/** A manifest as it was stored for a run. Rejects when its bytes are gone. */
export async function readStored(ctx: Context, sha256: string): Promise<Manifest> {
  const bytes = await buffer(ctx.storage.read(sha256))
  return manifestSchema.parse(JSON.parse(bytes.toString('utf8')))
}

/** SHA-256 of every file that a manifest names. */
export const filesOf = ({ items }: Manifest): Set<string> =>
  new Set(items.flatMap(({ image, label, region }) => [image, label ?? [], region ?? []].flat()))

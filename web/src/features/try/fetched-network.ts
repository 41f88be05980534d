/** The exported network of a run, fetched once for as long as the tab is open. */
import { call } from '../../lib/api.ts'
import { TryFailure } from './failure.ts'

type Wanted = { id: string; sha256: string }

/** One: several would fill a phone's memory. */
let kept: { sha256: string; bytes: Promise<Uint8Array> } | null = null

export function fetchNetwork({ id, sha256 }: Wanted, onShare: (share: number) => void): Promise<Uint8Array> {
  if (kept?.sha256 === sha256) return kept.bytes
  const bytes = download(id, onShare)
  kept = { sha256, bytes }
  bytes.catch(() => {
    if (kept?.bytes === bytes) kept = null
  })
  return bytes
}

async function download(id: string, onShare: (share: number) => void): Promise<Uint8Array> {
  const { url, sizeBytes } = await call('runs/download', { id, kind: 'onnx' }, { quiet: true }).catch(refuse)
  const response = await fetch(url).catch(refuse)
  if (!response.ok || !response.body) throw new TryFailure('no_link')
  const bytes = new Uint8Array(sizeBytes)
  let place = 0
  const reader = response.body.getReader()
  for (let part = await reader.read().catch(refuse); !part.done; part = await reader.read().catch(refuse)) {
    if (place + part.value.length > sizeBytes) throw new TryFailure('no_link')
    bytes.set(part.value, place)
    place += part.value.length
    onShare(place / sizeBytes)
  }
  if (place < sizeBytes) throw new TryFailure('no_link')
  return bytes
}

function refuse(error: unknown): never {
  throw new TryFailure('no_link', { cause: error })
}

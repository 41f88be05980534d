/** Where masks and labels over an image come from: files of the cloud, or those behind a share link. */
import type { Overlay, OverlayCandidate } from '@neuroloom/contract/reading/overlays'
import { call } from '../../../../lib/api.ts'
import { bytesBehind } from '../../../../lib/bytes.ts'
import type { LabelBytes } from './labels.ts'
import { bytesOfMarks } from './marks.ts'

export type Laid = {
  overlay: Overlay
  /** A byte a voxel; null where no voxel is marked, or none is known yet. */
  bytes: LabelBytes | null
  /** Labels, counted from 1 on, that are neither shown nor listed. */
  nothing: readonly number[]
}

export type OverlaysFrom = {
  /** Tells what was fetched from here from all else. */
  key: readonly unknown[]
  /** Of the file by which news tell that something is ready; null where none come. */
  liveId: string | null
  candidates: (signal: AbortSignal) => Promise<OverlayCandidate[]>
  lay: (id: string, signal: AbortSignal) => Promise<Laid>
}

type File = { id: string; series: boolean; pass: string | null }

export const overFile = ({ id, series, pass }: File): OverlaysFrom => ({
  key: ['file', id, series, pass],
  liveId: pass === null ? id : null,
  candidates: async (signal) => {
    const options = { quiet: true, signal }
    const { candidates } =
      pass === null
        ? await call('files/overlays', { id }, options)
        : await call('files/overlaysLinked', { pass, id }, options)
    return candidates
  },
  lay: async (maskId, signal) => {
    const wanted = { id, series, maskId }
    const options = { quiet: true, signal }
    const overlay =
      pass === null
        ? await call('files/overlay', wanted, options)
        : await call('files/overlayLinked', { pass, ...wanted }, options)
    return { overlay, bytes: await bytesOf(overlay, signal), nothing: [] }
  },
})

/** What the server has made ready, unpacked. */
export async function bytesOf({ marks, url }: Overlay, signal: AbortSignal): Promise<LabelBytes | null> {
  if (marks) return bytesOfMarks(marks)
  if (url === null) return null
  const packed = await bytesBehind(url, signal)
  if (packed === null) throw new Error('the link has ended')
  const unpacked = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')))
  return new Uint8Array(await unpacked.arrayBuffer())
}

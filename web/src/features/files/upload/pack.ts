/** Packs many loose files into one archive, in a worker, without holding them: the browser keeps its parts as blobs. */
import { uploads as limits } from '@neuroloom/contract/limits'
import type { PackMessage, PackOrder } from './pack.worker.ts'
import type { Picked } from './picked-files.ts'

export type PackProblem = { name: 'packTooLarge' | 'packTooMany'; params: { number: number; limit: number } }

/** Why these cannot become one archive. */
export function findPackProblem(picked: readonly Picked[]): PackProblem | null {
  if (picked.length > limits.packFiles)
    return { name: 'packTooMany', params: { number: picked.length, limit: limits.packFiles } }
  const bytes = picked.reduce((sum, { file }) => sum + file.size, 0)
  return bytes > limits.packBytes
    ? { name: 'packTooLarge', params: { number: bytes, limit: limits.packBytes } }
    : null
}

type Options = { onProgress?: (share: number) => void; signal?: AbortSignal }

/** The same files give the same archive, byte for byte: an upload of it can go on after a reload. */
export function pack(
  picked: readonly Picked[],
  name: string,
  { onProgress, signal }: Options = {},
): Promise<File> {
  const worker = new Worker(new URL('./pack.worker.ts', import.meta.url), { type: 'module' })
  const order: PackOrder = { files: inOrder(picked) }
  return new Promise<File>((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    signal?.addEventListener('abort', stop)
    worker.onmessage = ({ data }: MessageEvent<PackMessage>) => {
      if (data.kind === 'progress') onProgress?.(data.share)
      if (data.kind === 'failed') reject(new Error(data.path))
      if (data.kind === 'done') resolve(new File([data.archive], name, { type: 'application/zip' }))
    }
    worker.onerror = () => reject(new Error(name))
    worker.postMessage(order)
  }).finally(() => worker.terminate())
}

/** By name, each name once: `a.png`, `a (2).png`. */
export function inOrder(picked: readonly Picked[]): Picked[] {
  const taken = new Set<string>()
  const sorted = [...picked].sort((a, b) => compare(a.path, b.path) || a.file.size - b.file.size)
  return sorted.map(({ path, file }) => {
    const dot = path.lastIndexOf('.')
    const [stem, ending] = dot > 0 ? [path.slice(0, dot), path.slice(dot)] : [path, '']
    let free = path
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${stem} (${number})${ending}`
    taken.add(free.toLowerCase())
    return { path: free, file }
  })
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

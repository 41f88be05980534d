/** The work of packing: reads each file piece by piece, stores or deflates it, and hands over one blob at the end. */
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

export type PackOrder = { files: { path: string; file: File }[] }
export type PackMessage =
  | { kind: 'progress'; share: number }
  | { kind: 'failed'; path: string }
  | { kind: 'done'; archive: Blob }

/** Files that get no smaller: pictures, films, archives. */
const packedAlready =
  /\.(png|jpe?g|jfif|gif|webp|heic|avif|mp4|mov|avi|mkv|webm|mp3|zip|gz|tgz|7z|rar|xz|bz2|pdf|docx|xlsx|pptx)$/i
/** Pieces are put into one blob from time to time: blobs lie on the disk, pieces in memory. */
const GATHER_BYTES = 16 * 1024 * 1024
/** Any moment that all browsers write alike; the files' own times would tell when they were last touched. */
const STAMP = new Date(1980, 0, 1)

self.onmessage = ({ data }: MessageEvent<PackOrder>) => {
  packAll(data.files).catch((error: unknown) => say({ kind: 'failed', path: String(error) }))
}

const say = (message: PackMessage): void => self.postMessage(message)

async function packAll(files: PackOrder['files']): Promise<void> {
  const totalBytes = files.reduce((sum, { file }) => sum + file.size, 0)
  const output = gather()
  const zip = new Zip(output.take)
  let readBytes = 0
  for (const { path, file } of files) {
    const entry = packedAlready.test(path) ? new ZipPassThrough(path) : new ZipDeflate(path, { level: 6 })
    entry.mtime = STAMP
    zip.add(entry)
    const reader = file.stream().getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      readBytes += piece.value.length
      entry.push(piece.value)
      say({ kind: 'progress', share: totalBytes > 0 ? readBytes / totalBytes : 1 })
    }
    entry.push(new Uint8Array(0), true)
  }
  zip.end()
  say({ kind: 'done', archive: await output.end() })
}

function gather() {
  let blobs: Blob[] = []
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  let settle: (error: Error | null) => void = () => {}
  const ended = new Promise<void>((resolve, reject) => {
    settle = (error) => (error ? reject(error) : resolve())
  })
  const fold = (): void => {
    blobs = [...blobs, new Blob(pieces)]
    pieces = []
    bytes = 0
  }
  return {
    take: (error: Error | null, piece: Uint8Array, isLast: boolean): void => {
      if (error) {
        settle(error)
        return
      }
      // Copied: the packer may use its buffer again.
      pieces.push(new Uint8Array(piece))
      bytes += piece.length
      if (bytes > GATHER_BYTES) fold()
      if (isLast) settle(null)
    },
    end: async (): Promise<Blob> => {
      await ended
      fold()
      return new Blob(blobs)
    },
  }
}

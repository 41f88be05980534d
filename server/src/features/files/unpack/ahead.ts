import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { fromRandomAccessReader, type Options, RandomAccessReader, type ZipFile } from 'yauzl'

/** Read at once: an entry of a table of contents takes some dozen bytes, and two requests to the disk. */
const WINDOW_BYTES = 1024 * 1024

type Done = (error: Error | null, bytesRead?: number) => void

/** A zip on the disk whose table of contents is read in large pieces: fifty thousand entries in a second, not in ten. */
export async function openAhead(path: string, options: Options): Promise<ZipFile> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const openZip = promisify<RandomAccessReader, number, Options, ZipFile>(fromRandomAccessReader)
    return await openZip(new AheadReader(path, file), size, options)
  } catch (error) {
    await file.close().catch(() => undefined)
    throw error
  }
}

class AheadReader extends RandomAccessReader {
  private readonly path: string
  private readonly file: FileHandle
  private window = Buffer.alloc(0)
  private start = 0

  constructor(path: string, file: FileHandle) {
    super()
    this.path = path
    this.file = file
  }

  override _readStreamForRange(start: number, end: number) {
    return createReadStream(this.path, { start, end: end - 1 })
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, done: Done): void {
    this.take(position, length).then(
      (bytes) => done(null, bytes.copy(buffer, offset)),
      (error: Error) => done(error),
    )
  }

  override close(done: Done): void {
    this.file.close().then(
      () => done(null),
      (error: Error) => done(error),
    )
  }

  private async take(position: number, length: number): Promise<Buffer> {
    const from = position - this.start
    if (from >= 0 && from + length <= this.window.length) return this.window.subarray(from, from + length)
    const window = Buffer.allocUnsafe(Math.max(WINDOW_BYTES, length))
    const { bytesRead } = await this.file.read(window, 0, window.length, position)
    this.window = window.subarray(0, bytesRead)
    this.start = position
    return this.window.subarray(0, length)
  }
}

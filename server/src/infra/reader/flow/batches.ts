/** The numbers of files of flow, a few files at a time: what is packed in one way is unpacked in one go. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { openDicom } from '../dicom/file.ts'
import { readAll, type Stored } from '../dicom/pixels.ts'
import { Refusal, refuse, samplesOf } from '../model.ts'
import { short } from '../picture/packed.ts'
import { blocking, type FlowFile, type FlowImage, FlowRefusal } from './images.ts'

export type Limits = { limitBytes: number; folder: string }
/** As stored, of one plane. */
export type Numbers = ArrayLike<number>
export type OpenedFile = { digest: Buffer; numbersOf(image: FlowImage): Promise<Numbers> }

const isRec = ({ name }: FlowFile): boolean => /\.rec$/i.test(name)

const AT_ONCE = 32
const AT_ONCE_BYTES = 64 * 1024 * 1024

/** Files with all numbers in one stand alone. */
export async function batchesOf<File extends FlowFile>(files: readonly File[]): Promise<File[][]> {
  const batches: File[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const file of files) {
    const { size } = await stat(file.path)
    const last = batches.at(-1)
    bytes += isRec(file) ? AT_ONCE_BYTES : size
    if (last && bytes <= AT_ONCE_BYTES && last.length < AT_ONCE) last.push(file)
    else {
      batches.push([file])
      bytes = isRec(file) ? Number.POSITIVE_INFINITY : size
    }
  }
  return batches
}

/** Throws `FlowRefusal` where a file cannot be read. */
export async function openBatch(batch: readonly FlowFile[], limits: Limits): Promise<OpenedFile[]> {
  const [first] = batch
  if (first && isRec(first)) return [await openRec(first)]
  const bytes: Buffer[] = []
  for (const { path, name } of batch) {
    if ((await stat(path)).size > limits.limitBytes)
      throw unreadable(name, refuse('too_large', { limit: Math.round(limits.limitBytes / 1024 ** 2) }))
    bytes.push(await readFile(path))
  }
  const names = batch.length === 1 ? (first?.name ?? '') : `${first?.name} …`
  const stored = await attempt(names, () => {
    const files = bytes.map((one, at) => attemptNow(batch[at]?.name ?? '', () => openDicom(one, limits)))
    return readAll(files, limits)
  })
  return stored.map((one, at) => ({
    digest: createHash('sha256')
      .update(bytes[at] ?? Buffer.alloc(0))
      .digest(),
    numbersOf: async (image) => attemptNow(batch[at]?.name ?? '', () => planeOf(one, image)),
  }))
}

function planeOf({ samples, shape }: Stored, { frame }: FlowImage): Numbers {
  const each = shape.columns * shape.rows
  if (shape.channels !== 1) throw refuse('header_contradicts')
  if (samples.length < each * (frame + 1)) throw short(samples.length, each * (frame + 1))
  return samples.subarray(each * frame, each * (frame + 1))
}

async function openRec({ path, name }: FlowFile): Promise<OpenedFile> {
  const sum = createHash('sha256')
  for await (const chunk of createReadStream(path)) sum.update(chunk)
  return {
    digest: sum.digest(),
    numbersOf: (image) => attempt(name, () => recPlane(path, image)),
  }
}

/** Little-endian, without a sign, one plane after the other. */
async function recPlane(path: string, { frame, plane }: FlowImage): Promise<Numbers> {
  const { count, bits } = plane ?? { count: 0, bits: 16 }
  const length = count * (bits / 8)
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, frame * length)
    if (bytesRead < length) throw short(bytesRead, length)
    return samplesOf(buffer, bits === 8 ? 'uint8' : 'uint16', true)
  } finally {
    await handle.close()
  }
}

const unreadable = (name: string, { reason }: Refusal): FlowRefusal =>
  new FlowRefusal([blocking('unreadable', { name, why: reason })])

function refusedOf(name: string, error: unknown): unknown {
  if (error instanceof Refusal) return unreadable(name, error)
  // The DICOM library throws texts; numbers that lead out of a file's bytes are range errors.
  const isDamaged = typeof error === 'string' || error instanceof RangeError
  return isDamaged ? unreadable(name, refuse('data_damaged')) : error
}

async function attempt<Result>(name: string, work: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw refusedOf(name, error)
  }
}

function attemptNow<Result>(name: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw refusedOf(name, error)
  }
}

/** Writes the one file that all studies of flow become: a safetensors container, filled plane by plane in any order. */
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { FlowStudy } from '@neuroloom/contract/flow/study'

export type StudyFile = {
  /** `component` 0 to 2 of the velocity, or the magnitude. */
  put(component: number | 'magnitude', at: { time: number; slice: number }, plane: Int16Array): Promise<void>
  /** With the head as it is in the end; it must not have grown. */
  finish(study: FlowStudy): Promise<void>
  discard(): Promise<void>
}

/** What is never put is 0. */
export async function openStudyFile(path: string, draft: FlowStudy): Promise<StudyFile> {
  const head = headOf(draft)
  const [x, y, z] = draft.size
  const plane = x * y * 2
  const volumes = plane * z * draft.frames
  const file = await open(path, 'w')
  await file.truncate(head.length + 4 * volumes)
  return {
    async put(component, { time, slice }, numbers) {
      const which = component === 'magnitude' ? 3 : component
      const place = head.length + which * volumes + (time * z + slice) * plane
      await write(file, Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength), place)
    },
    async finish(study) {
      const last = headOf(study)
      if (last.length !== head.length)
        throw new Error(`The head became ${last.length} bytes, not ${head.length}`)
      await write(file, last, 0)
      await file.close()
    },
    async discard() {
      await file.close()
      await rm(path, { force: true })
    },
  }
}

async function write(file: FileHandle, bytes: Buffer, place: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, place + done)
    done += bytesWritten
  }
}

/** Its length, then JSON that ends with blanks where numbers begin at a multiple of eight. */
function headOf(study: FlowStudy): Buffer {
  const [x, y, z] = study.size
  const shape = [study.frames, z, y, x]
  const bytes = 2 * shape.reduce((product, side) => product * side, 1)
  const text = JSON.stringify({
    __metadata__: { flow: JSON.stringify(study) },
    velocity: { dtype: 'I16', shape: [3, ...shape], data_offsets: [0, 3 * bytes] },
    magnitude: { dtype: 'I16', shape, data_offsets: [3 * bytes, 4 * bytes] },
  })
  const body = Buffer.from(
    text.padEnd(Math.ceil(Buffer.byteLength(text) / 8) * 8 - (Buffer.byteLength(text) - text.length)),
  )
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(body.length))
  return Buffer.concat([length, body])
}

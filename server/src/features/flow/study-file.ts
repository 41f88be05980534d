/** The head of a study's file, which tells what the bytes behind it are: believed only where both go together. */
import { open } from 'node:fs/promises'
import { type FlowStudy, flowStudySchema } from '@neuroloom/contract/flow/study'
import * as z from 'zod'

const tensor = z.object({
  dtype: z.literal('I16'),
  shape: z.array(z.int()),
  data_offsets: z.tuple([z.int(), z.int()]),
})
const containerSchema = z.object({
  __metadata__: z.object({ flow: z.string() }),
  velocity: tensor,
  magnitude: tensor,
})

const HEAD_BYTES = 1024 ** 2

/** Fails where the file is no study: whoever made it is to blame. */
export async function readHead(path: string): Promise<FlowStudy> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const length = Number((await file.read(Buffer.alloc(8), 0, 8, 0)).buffer.readBigUInt64LE())
    if (length > HEAD_BYTES) throw new Error('The head of a study is too long')
    const text = (await file.read(Buffer.alloc(length), 0, length, 8)).buffer.toString('utf8')
    const { __metadata__, velocity, magnitude } = containerSchema.parse(JSON.parse(text))
    const study = flowStudySchema.parse(JSON.parse(__metadata__.flow))
    const grid = [study.frames, ...[...study.size].reverse()]
    const numbers = grid.reduce((product, side) => product * side, 2)
    const isWhole =
      study.times.length === study.frames &&
      isOf(velocity, [3, ...grid], 3 * numbers) &&
      isOf(magnitude, grid, numbers) &&
      size === 8 + length + 4 * numbers
    if (!isWhole) throw new Error('The numbers of a study do not fit its head')
    return study
  } finally {
    await file.close()
  }
}

const isOf = ({ shape, data_offsets: [from, to] }: z.infer<typeof tensor>, wanted: number[], bytes: number) =>
  shape.join() === wanted.join() && to - from === bytes

/** A little more than that: a head tells times and directions. */
export const studyBytes = (voxels: number): number => 8 * voxels + 64 * 1024

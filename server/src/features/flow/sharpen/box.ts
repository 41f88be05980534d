/** How large the part of a study is that a network makes finer: its mask with what lies around. Reads a mask as a run wrote it. */
import * as z from 'zod'

type Size = [number, number, number]

/** Slices, rows, columns of one byte each. */
const headSchema = z.object({
  mask: z.object({
    dtype: z.literal('I8'),
    shape: z.tuple([z.int().positive(), z.int().positive(), z.int().positive()]),
    data_offsets: z.tuple([z.literal(0), z.int()]),
  }),
})
const HEAD_BYTES = 64 * 1024

/**
 * Columns, rows and slices of the smallest box around all that is marked, with so many voxels more to each side as far as the grid goes;
 * null where nothing is. Rejects what is no mask.
 */
export async function boxOf(bytes: AsyncIterable<Buffer>, margin: number): Promise<Size | null> {
  let head = Buffer.alloc(0)
  let mask: Marked | null = null
  for await (const chunk of bytes) {
    if (mask) mask.take(chunk)
    else {
      head = Buffer.concat([head, chunk])
      mask = begun(head)
    }
  }
  if (!mask) throw new Error('A mask ends within its head')
  return mask.box(margin)
}

type Marked = ReturnType<typeof marked>

/** Null until all of the head is there. */
function begun(head: Buffer): Marked | null {
  if (head.length < 8) return null
  const length = Number(head.readBigUInt64LE())
  if (length > HEAD_BYTES) throw new Error('The head of a mask is too long')
  if (head.length < 8 + length) return null
  const mask = marked(headSchema.parse(JSON.parse(head.toString('utf8', 8, 8 + length))).mask.shape)
  mask.take(head.subarray(8 + length))
  return mask
}

function marked([slices, rows, columns]: Size) {
  const size: Size = [columns, rows, slices]
  const [low, high]: [Size, Size] = [[...size], [-1, -1, -1]]
  let next = 0
  return {
    take(chunk: Buffer): void {
      for (let at = 0; at < chunk.length; at += 1) {
        if (chunk[at] === 0) continue
        const index = next + at
        const row = Math.floor(index / columns)
        const place: Size = [index % columns, row % rows, Math.floor(row / rows)]
        for (const axis of [0, 1, 2] as const) {
          low[axis] = Math.min(low[axis], place[axis])
          high[axis] = Math.max(high[axis], place[axis])
        }
      }
      next += chunk.length
    },
    box(margin: number): Size | null {
      if (next !== slices * rows * columns) throw new Error('The numbers of a mask do not fit its head')
      if (high[0] < 0) return null
      const side = (axis: 0 | 1 | 2): number =>
        Math.min(size[axis] - 1, high[axis] + margin) - Math.max(0, low[axis] - margin) + 1
      return [side(0), side(1), side(2)]
    },
  }
}

/** A safetensors container, read without a copy. Pure. */
export type Container = {
  /** Texts of the head, by name. */
  about: Record<string, unknown>
  int16: (name: string, shape: readonly number[]) => Int16Array
  int8: (name: string, shape: readonly number[]) => Int8Array
}

/** Throws an Error where the bytes are no such container; its tensors where they are not as asked for. */
export function readContainer(bytes: Uint8Array): Container {
  if (bytes.length < 8) throw new Error('no head')
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true))
  if (length > bytes.length - 8) throw new Error('the head is cut off')
  const told: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)))
  const entries = isRecord(told) ? told : {}
  const data = bytes.subarray(8 + length)
  const about = entries.__metadata__
  return {
    about: isRecord(about) ? about : {},
    int16: (name, shape) => {
      const { from, to, count } = placeOf(data, entries[name], { dtype: 'I16', bytes: 2, shape })
      const start = data.byteOffset + from
      // Numbers of two bytes have to begin at an even place.
      return start % 2 === 0
        ? new Int16Array(data.buffer, start, count)
        : new Int16Array(data.slice(from, to).buffer, 0, count)
    },
    int8: (name, shape) => {
      const { from, count } = placeOf(data, entries[name], { dtype: 'I8', bytes: 1, shape })
      return new Int8Array(data.buffer, data.byteOffset + from, count)
    },
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

type Wanted = { dtype: string; bytes: number; shape: readonly number[] }

function placeOf(data: Uint8Array, entry: unknown, { dtype, bytes, shape }: Wanted) {
  const { dtype: told, shape: given, data_offsets: offsets } = isRecord(entry) ? entry : {}
  const count = shape.reduce((product, side) => product * side, 1)
  const [from, to] = Array.isArray(offsets) ? offsets.map(Number) : []
  if (told !== dtype || String(given) !== String(shape) || from === undefined || to !== from + bytes * count)
    throw new Error(`not ${dtype} of ${shape.join(' × ')}`)
  if (to > data.length) throw new Error('the values are cut off')
  return { from, to, count }
}

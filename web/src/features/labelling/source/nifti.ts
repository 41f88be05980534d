/** Reads a NIfTI-1 file as the server gives it: header, then values in their order (nifti1.h of the NIfTI Data Format Working Group). */
export type Volume = {
  size: readonly [x: number, y: number, z: number]
  /** Of the first point in time; of colours red, green, blue for each place. */
  values: VolumeValues
  channels: 1 | 3
  slope: number
  intercept: number
}
export type VolumeValues =
  | Uint8Array
  | Int8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array

/** By the standard's codes of data types. */
const kinds = {
  2: Uint8Array,
  256: Int8Array,
  4: Int16Array,
  512: Uint16Array,
  8: Int32Array,
  768: Uint32Array,
  16: Float32Array,
  64: Float64Array,
  128: Uint8Array,
} as const
const RGB = 128

export function readNifti(bytes: ArrayBuffer): Volume {
  const head = new DataView(bytes)
  const isLittle = head.getInt32(0, true) === 348
  if (!isLittle && head.getInt32(0, false) !== 348) throw new RangeError('no NIfTI-1')
  const dimension = (at: number) => Math.max(1, head.getInt16(40 + 2 * at, isLittle))
  const size = [dimension(1), dimension(2), dimension(3)] as const
  const code = head.getInt16(70, isLittle)
  const Kind = kinds[code as keyof typeof kinds]
  if (Kind === undefined) throw new RangeError(`data of kind ${code}`)
  const channels = code === RGB ? 3 : 1
  const count = size[0] * size[1] * size[2] * channels
  const from = Math.round(head.getFloat32(108, isLittle))
  const isAligned = from % Kind.BYTES_PER_ELEMENT === 0
  const values = isAligned
    ? new Kind(bytes, from, count)
    : new Kind(bytes.slice(from, from + count * Kind.BYTES_PER_ELEMENT))
  const slope = head.getFloat32(112, isLittle) || 1
  return { size, values, channels, slope, intercept: head.getFloat32(116, isLittle) }
}

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

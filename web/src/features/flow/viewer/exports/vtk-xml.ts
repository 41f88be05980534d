/** Writes VTK's XML files after "VTK XML Formats" (docs.vtk.org): numbers are appended as bytes, in blocks of zlib. Pure. */
import { strToU8, zlibSync } from 'fflate'

export type VtkArray = {
  name: string
  /** Numbers a point. */
  parts: number
  values: Float32Array | Float64Array | Int16Array | Int32Array | Uint8Array
}

/** Of the packing: finer blocks cost room, larger ones cannot be read in part. */
const BLOCK = 1 << 20
/** A third of the time of zlib's usual level, and hardly larger: noise does not pack. */
const LEVEL = 3

export type Appended = {
  /** The element that stands for the array in the text. */
  element: (array: VtkArray) => string
  /** One number of the file as a whole. */
  field: (name: string, value: number) => string
  /** The file around the text. `about` is a note for people. */
  file: (kind: 'ImageData' | 'PolyData', text: string, about: string) => Uint8Array<ArrayBuffer>
}

export function makeAppended(): Appended {
  const blocks: Uint8Array[] = []
  let offset = 0
  const append = (values: VtkArray['values']): number => {
    const from = offset
    for (const part of packed(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))) {
      blocks.push(part)
      offset += part.length
    }
    return from
  }
  return {
    element: ({ name, parts, values }) =>
      `<DataArray type="${typeOf(values)}" Name="${name}" NumberOfComponents="${parts}" format="appended" offset="${append(values)}"/>`,
    field: (name, value) =>
      `<DataArray type="Float64" Name="${name}" NumberOfTuples="1" format="appended" offset="${append(Float64Array.of(value))}"/>`,
    file: (kind, text, about) => {
      const head =
        `<?xml version="1.0"?>\n<!-- ${about.replaceAll('--', '- -')} -->\n` +
        `<VTKFile type="${kind}" version="1.0" byte_order="LittleEndian" header_type="UInt32" compressor="vtkZLibDataCompressor">\n` +
        `${text}\n<AppendedData encoding="raw">\n_`
      return joined([strToU8(head), ...blocks, strToU8('\n</AppendedData>\n</VTKFile>\n')])
    },
  }
}

function typeOf(values: VtkArray['values']): string {
  if (values instanceof Float32Array) return 'Float32'
  if (values instanceof Float64Array) return 'Float64'
  if (values instanceof Int16Array) return 'Int16'
  return values instanceof Int32Array ? 'Int32' : 'UInt8'
}

/** How many blocks, how long they and the last one are (0 = like the others), how long each is packed; then the blocks. */
function packed(bytes: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += BLOCK)
    blocks.push(zlibSync(bytes.subarray(at, at + BLOCK), { level: LEVEL }))
  const head = Uint32Array.of(
    blocks.length,
    BLOCK,
    bytes.length % BLOCK,
    ...blocks.map(({ length }) => length),
  )
  return [new Uint8Array(head.buffer), ...blocks]
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

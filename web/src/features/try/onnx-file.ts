/** What an exported ONNX file says of itself, read without running it. */
import { type ExportedFacts, exportedFactsSchema } from '@neuroloom/contract/exported'

/** Fields of ModelProto, GraphProto, TensorProto and of an entry of the metadata. */
const GRAPH = 7
const METADATA = 14
const INITIALIZER = 5
const TENSOR_NAME = 8
const KEY = 1
const VALUE = 2
const OUR_KEY = 'neuroloom'

/** Null for a file that no run of this product wrote, or that is no ONNX at all. */
export function readFacts(file: Uint8Array): ExportedFacts | null {
  try {
    for (const entry of fieldsOf(file, METADATA)) {
      if (textOf(entry, KEY) !== OUR_KEY) continue
      return exportedFactsSchema.parse(JSON.parse(textOf(entry, VALUE) ?? ''))
    }
  } catch {
    // Cut off or damaged: the same to whoever wants to use it.
  }
  return null
}

/**
 * The browser's runtime knows only inputs that must be given. An input that may be left out has a first value of its own
 * name; under another name that is no longer its value. Changes the bytes in place.
 */
export function requireInput(file: Uint8Array, name: string): void {
  const [graph] = fieldsOf(file, GRAPH)
  if (!graph) return
  for (const tensor of fieldsOf(graph, INITIALIZER)) {
    for (const field of fieldsOf(tensor, TENSOR_NAME)) {
      // `fieldsOf` gives views of the same bytes. No name of the exporter begins so.
      if (decode(field) === name) field[0] = '~'.charCodeAt(0)
    }
  }
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function textOf(message: Uint8Array, number: number): string | null {
  for (const field of fieldsOf(message, number)) return decode(field)
  return null
}

/** Views of a message's fields with this number that hold bytes (protobuf's wire form). */
function* fieldsOf(message: Uint8Array, wanted: number): Generator<Uint8Array> {
  let place = 0
  const number = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[place++]
      if (byte === undefined) throw new Error('the file ends within a number')
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (place < message.length) {
    const key = number()
    switch (key % 8) {
      case 0:
        number()
        break
      case 1:
        place += 8
        break
      case 5:
        place += 4
        break
      case 2: {
        const length = number()
        if (place + length > message.length) throw new Error('the file ends within a field')
        if (Math.floor(key / 8) === wanted) yield message.subarray(place, place + length)
        place += length
        break
      }
      default:
        throw new Error(`no field has the wire type ${key % 8}`)
    }
  }
}

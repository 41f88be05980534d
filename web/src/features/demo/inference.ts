/** Runs the exported network on one picture: in the browser's worker, and where its overlap is measured. Draws nothing. */
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm'

export type Answer = {
  /** How likely each pixel belongs to a cell, row by row. */
  probabilities: Float32Array
  /** Of the network alone. */
  milliseconds: number
}

/** `model` is an address or the file's bytes. */
export async function loadNetwork(model: string | Uint8Array): Promise<InferenceSession> {
  // More threads need headers that keep other pages out; one is fast enough.
  env.wasm.numThreads = 1
  env.logLevel = 'error'
  return typeof model === 'string' ? InferenceSession.create(model) : InferenceSession.create(model)
}

export async function findCells(
  session: InferenceSession,
  pixels: Uint8ClampedArray,
  size: number,
): Promise<Answer> {
  const begin = performance.now()
  const image = new Tensor('float32', toInput(pixels), [1, 1, size, size])
  const { probabilities } = await session.run({ image })
  const milliseconds = performance.now() - begin
  const data = probabilities?.data
  if (!(data instanceof Float32Array)) throw new Error('the network answered without probabilities')
  // One plane a class: background, then cells.
  return { probabilities: data.slice(size * size), milliseconds }
}

/** As the engine reads an 8-bit picture: levels from 0 to 1. What else it does to them lies inside the exported network. */
export function toInput(pixels: ArrayLike<number>): Float32Array {
  return Float32Array.from(pixels, (level) => level / 255)
}

/** Exports a plan by the engine and runs the file as the pages do: onnxruntime in its WebAssembly form. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import type { Engine } from './engine.ts'

/** The part of the runtime that is used here; the package belongs to the web room. */
interface Runtime {
  env: { wasm: { numThreads: number }; logLevel: string }
  InferenceSession: { create(model: Uint8Array): Promise<Session> }
  Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => unknown
}
interface Session {
  readonly inputNames: readonly string[]
  run(feeds: Record<string, unknown>): Promise<Record<string, { data: unknown; dims: readonly number[] }>>
  release(): Promise<void>
}

export async function loadRuntime(): Promise<Runtime> {
  const path = createRequire(new URL('../../../web/package.json', import.meta.url)).resolve(
    'onnxruntime-web/wasm',
  )
  const runtime: Runtime = await import(pathToFileURL(path).href)
  runtime.env.wasm.numThreads = 1
  runtime.env.logLevel = 'error'
  return runtime
}

/** The largest difference to PyTorch over all heads, in parts of a head's largest number; a text when there is none. */
export async function onnxDifference(engine: Engine, runtime: Runtime, plan: Plan): Promise<number | string> {
  const folder = mkdtempSync(join(tmpdir(), 'neuroloom-onnx-'))
  try {
    const answer = await engine.ask('onnx', { plan, folder })
    if ('error' in answer) return answer.error
    const { outputs, shapes } = answer
    const session = await runtime.InferenceSession.create(readFileSync(join(folder, 'model.onnx')))
    const feeds = session.inputNames.map((name) => [
      name,
      new runtime.Tensor('float32', numbers(folder, name), shapes[name] ?? []),
    ])
    const found = await session.run(Object.fromEntries(feeds))
    await session.release()
    const wrong = outputs.find((name) => String(found[name]?.dims) !== String(shapes[name]))
    if (wrong !== undefined) return `${wrong}: ${found[wrong]?.dims} for ${shapes[wrong]}`
    return Math.max(...outputs.map((name) => farthest(found[name]?.data, numbers(folder, name))))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function numbers(folder: string, name: string): Float32Array {
  const bytes = readFileSync(join(folder, `${name}.f32`))
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}

function farthest(found: unknown, expected: Float32Array): number {
  if (!(found instanceof Float32Array) || found.length !== expected.length) return Number.NaN
  const scale = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
  return expected.reduce((most, value, k) => Math.max(most, Math.abs(value - (found[k] ?? NaN))), 0) / scale
}

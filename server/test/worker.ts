/** A job process's context beside a test server: the real engine, by the Python that has what it needs. */

import type { WorkerContext } from '../src/infra/context.ts'
import { createEngine } from '../src/infra/engine/engine.ts'
import type { TestServer } from './harness.ts'

export function makeWorker({ ctx }: TestServer): WorkerContext {
  const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'
  return { ...ctx, engine: createEngine({ python, workFolder: ctx.config.dataDir, log: ctx.log }) }
}

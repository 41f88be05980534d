/** The HTTP process: serves calls, pages and live connections until it is told to stop. Never decodes an image. */
import type { AddressInfo } from 'node:net'
import { makeApp } from './app.ts'
import { readConfig } from './config.ts'
import { closeContext, createContext } from './infra/context.ts'
import { createLog } from './infra/log.ts'
import { runUntilStopped } from './process.ts'

const config = readConfig()
const log = createLog(config.logLevel, 'server')

await runUntilStopped(log, async () => {
  const ctx = await createContext(config, { log })
  const app = await makeApp(ctx)
  await app.listen({ host: config.host, port: config.port })
  // Listening on a port of TCP, never on a pipe.
  const { port } = app.server.address() as AddressInfo
  log.info({ port }, 'listening')
  process.send?.({ ready: true, port })
  return async () => {
    await app.close()
    await closeContext(ctx)
  }
})

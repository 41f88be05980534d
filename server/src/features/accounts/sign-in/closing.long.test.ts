/** The server ends a live connection by a timer of real seconds. */
import { closingMs } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { beacon, openSocket, openWindow } from '../../../../test/closing-windows.ts'
import { makeServer, type TestServer } from '../../../../test/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

describe('a window that closes', () => {
  test('takes its live connection along', async () => {
    const who = await openWindow(server)
    const socket = await openSocket(server, who)
    const closed = new Promise<void>((resolve) => {
      socket.once('disconnect', () => resolve())
    })
    await beacon(server, who.closing)
    server.forward(closingMs)
    // The server looks at the session by itself, as soon as it may be over.
    await closed
  })
})

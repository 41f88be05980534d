/** Ends connections that keep the server waiting for a request. Answers take as long as the reader's line needs. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { bodyBytes } from './body-bytes.ts'

/** Looks so many times within the patience: an end comes that much late at most. */
const LOOKS = 6
/** A line that brings less than this in all the time stands still, whatever trickles through it. */
const LEAST_BYTES = 1024

/** Headers come within the patience, whole; Node then also ends connections on which nothing was ever said. */
export const forHeaders = (patienceMs: number): { http: object } => ({
  http: { headersTimeout: patienceMs, connectionsCheckingInterval: Math.ceil(patienceMs / LOOKS) },
})

/** Bodies get on: how long a whole one takes is the line's affair, so thin lines can send large files. */
export function endSlowBodies(app: FastifyInstance, patienceMs: number): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (bodyBytes(raw) > 0) watch(raw, patienceMs)
  })
}

function watch(request: IncomingMessage, patienceMs: number): void {
  const { socket } = request
  let bytes = socket.bytesRead
  let still = 0
  // Looks are counted, not time: after a pause of our own what came meanwhile is read before the next look.
  const timer = setInterval(() => {
    // What waits to be read shows that we are the slow ones.
    const isMoving = socket.bytesRead - bytes >= LEAST_BYTES || request.readableLength > 0
    still = isMoving ? 0 : still + 1
    if (isMoving) bytes = socket.bytesRead
    if (still >= LOOKS) socket.destroy()
  }, patienceMs / LOOKS)
  timer.unref()
  const settled = (): void => clearInterval(timer)
  request.once('end', settled).once('close', settled)
}

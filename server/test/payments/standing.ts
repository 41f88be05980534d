/** What both stand-ins of payment providers share: a server on this machine, keys, and orders in memory. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * How it answers: as it should; not at all; by breaking off; without a signature; or signed by somebody else's key, as a
 * man in the middle would.
 */
export type Behaviour = 'answers' | 'hangs' | 'drops' | 'unsigned' | 'forged'

export type Order = {
  orderNo: string
  amountFen: number
  subject: string
  notifyUrl: string
  /** As the provider was told, by its way of writing times. */
  expires: string
  /** `new`: nobody has scanned the code. */
  state: 'new' | 'waiting' | 'paid' | 'closed' | 'refunded'
  transactionId: string
  paidAt: Date | null
  /** By their numbers, in fen. */
  refunds: Map<string, number>
}

export type Asked = { request: IncomingMessage; response: ServerResponse; body: string }

export async function stand(answer: (asked: Asked) => void, behaviour: () => Behaviour) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (behaviour() === 'hangs') return
    if (behaviour() === 'drops') return request.socket.destroy()
    answer({ request, response, body: Buffer.concat(chunks).toString('utf8') })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on a port of TCP, never on a pipe.
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, close }
}

export const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

export const signed = (text: string, key: KeyObject, hash = 'RSA-SHA256'): string =>
  sign(hash, Buffer.from(text), key).toString('base64')

export const pem = (key: KeyObject): string =>
  key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }).toString()

/** A folder for the files that a configuration names. */
export function keyFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'payment-keys-'))
  return {
    write: (name: string, content: string) => {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

export function orderOf(orders: Map<string, Order>, orderNo: string): Order {
  const order = orders.get(orderNo)
  if (!order) throw new Error(`Nobody asked for a code for ${orderNo}`)
  return order
}

import { connect, type Socket } from 'node:net'

export const PATIENCE_MS = 600

export const CALL =
  'POST /AI/api/setting/public HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
/** What somebody says who then says no more. */
export const halves: Record<string, string> = {
  'nothing at all': '',
  'half a header': CALL,
  'half a body': `${CALL}Content-Length: 100\r\n\r\n{"half":`,
  'half a chunk': `${CALL}Transfer-Encoding: chunked\r\n\r\n64\r\n{"half":`,
}

/** Connected, and that said. */
export async function say(port: number, text: string): Promise<Socket & { ended: Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString()
  })
  // A reset is an end as well.
  socket.on('error', () => undefined)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)))
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(text)
  return Object.assign(socket, { ended })
}

/** A line that breaks: a TCP proxy before the product that cuts all connections every 0.1–3 s and counts bytes. */
import { connect, createServer, type Socket } from 'node:net'

export type Line = {
  port: number
  bytesUp: () => number
  cuts: () => number
  calm: () => void
  close: () => Promise<void>
}

const [SHORTEST_MS, LONGEST_MS] = [100, 3000]

export function openLine(target: number): Promise<Line> {
  const open = new Set<Socket>()
  let bytesUp = 0
  let cuts = 0
  let timer: NodeJS.Timeout | undefined
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (piece) => {
      bytesUp += piece.length
    })
    near.pipe(far)
    far.pipe(near)
  })
  const cut = () => {
    if (open.size > 0) cuts += 1
    for (const socket of open) socket.destroy()
    timer = setTimeout(cut, SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS))
  }
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      cut()
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        bytesUp: () => bytesUp,
        cuts: () => cuts,
        calm: () => clearTimeout(timer),
        close: () => {
          clearTimeout(timer)
          for (const socket of open) socket.destroy()
          return new Promise<void>((done) => server.close(() => done()))
        },
      })
    })
  })
}

/** A page's live connection. */
import { LIVE_PATH } from '@neuroloom/contract/live'
import { io, type Socket } from 'socket.io-client'

export async function openLiveSocket(url: string, ticket: string): Promise<Socket> {
  const socket = io(url, {
    path: LIVE_PATH,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { ticket },
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  return socket
}

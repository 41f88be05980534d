/** Windows of a browser that close, as the server hears of them. */
import { LIVE_PATH } from '@neuroloom/contract/live'
import { io, type Socket } from 'socket.io-client'
import { drag } from './drag.ts'
import { PASSWORD, type Session, type TestServer } from './harness.ts'

type Window = Session & { account: string; closing: string }

export const login = async (server: TestServer, account: string): Promise<Window> => {
  const body = { account, password: PASSWORD, proof: await drag(server) }
  const { data } = await server.call('user/login', body)
  return { account, userId: data.id, token: data.token, closing: data.closing }
}
export async function openWindow(server: TestServer): Promise<Window> {
  const { account, ...first } = await server.signUp()
  await server.call('user/logout', {}, first)
  return login(server, account)
}

/** What `navigator.sendBeacon` posts: no headers of ours, a JSON body. */
export const beacon = async (
  server: TestServer,
  closing: string,
): Promise<{ code: number; data: object }> => {
  const response = await fetch(`${server.url}/AI/api/user/closing`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', origin: server.url },
    body: new Blob([JSON.stringify({ closing })], { type: 'application/json' }),
  })
  return (await response.json()) as { code: number; data: object }
}

export const ticketOf = async (server: TestServer, who: Session): Promise<string> =>
  (await server.call('user/ticket', {}, who)).data.ticket

export async function openSocket(server: TestServer, who: Session, ticket?: string): Promise<Socket> {
  const socket = io(server.url, {
    path: LIVE_PATH,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { ticket: ticket ?? (await ticketOf(server, who)) },
  })
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve)
  })
  return socket
}

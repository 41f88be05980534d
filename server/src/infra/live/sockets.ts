/** The sockets of pages: opened with a one-use ticket, told what they watch, closed with their session. Decides no rights. */
import type { Server as HttpServer } from 'node:http'
import { askWhoStays, closingMs } from '@neuroloom/contract/limits'
import { LIVE_PATH, type LiveEvent } from '@neuroloom/contract/live'
import { Server, type Socket } from 'socket.io'
import * as z from 'zod'
import type { SessionUser } from '../../http/access.ts'
import { isForeignPage } from '../../http/origin.ts'
import type { Context } from '../context.ts'
import { openFeed } from './feed.ts'
import { topicOf } from './live.ts'
import { openWatching, type WatchHooks } from './watching.ts'

export type SocketHooks = WatchHooks & {
  redeem(ticket: string): Promise<{ user: SessionUser; sessionId: string } | null>
}

const SESSION_CHECK_MS = 30_000
/** A session whose window closed is over by then. */
const CLOSING_CHECK_MS = closingMs + 500

export function openSockets(server: HttpServer, ctx: Context, hooks: SocketHooks): { close(): void } {
  const io = new Server(server, {
    path: LIVE_PATH,
    serveClient: false,
    maxHttpBufferSize: 16 * 1024,
    connectTimeout: 10_000,
    allowRequest: ({ headers }, decide) => {
      const { publicUrl } = ctx.config
      decide(null, !isForeignPage({ headers, host: headers.host, publicUrl }))
    },
  })
  const feed = openFeed({ after: ctx.live.after, log: ctx.log })
  const watching = openWatching(ctx, hooks, feed)
  const socketsOf = (sessionId: string): Socket[] =>
    [...io.sockets.sockets.values()].filter((socket) => sessionOf(socket) === sessionId)
  const closeSession = (sessionId: string): void => {
    for (const socket of socketsOf(sessionId)) socket.disconnect(true)
  }
  const openSessions = (): Set<string> => new Set([...io.sockets.sockets.values()].map(sessionOf))
  const checkSessions = async (open: Iterable<string>): Promise<void> => {
    for (const sessionId of open) if (!(await hooks.current(sessionId))) closeSession(sessionId)
  }
  const check = (open: Iterable<string> = openSessions()): void => {
    checkSessions(open).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'cannot check the live sessions'),
    )
  }
  ctx.live.listen({
    stored: feed.pump,
    // To all who watch at once: so it is put into a frame once.
    passing({ topic, type, data }) {
      io.to(topic).emit('event', { id: 0, topic: topicOf(topic), type, data } satisfies LiveEvent)
    },
    sessionEnded: closeSession,
    sessionCloses(sessionId) {
      const open = socketsOf(sessionId)
      if (open.length === 0) return
      // A window's last word may come long after the next page's first calls: whoever is there says so again.
      for (const socket of open) socket.emit(askWhoStays)
      setTimeout(check, CLOSING_CHECK_MS, [sessionId]).unref()
    },
    rightsChanged: (key) => void watching.rightsChanged(key),
    missed() {
      feed.pumpAll()
      check()
      void watching.rightsChanged('')
    },
  })
  const timer = setInterval(() => check(), SESSION_CHECK_MS)
  timer.unref()

  io.use((socket, next) => {
    const refused = new Error('not_signed_in')
    admit(socket, hooks).then(
      (isAdmitted) => next(isAdmitted ? undefined : refused),
      (error: unknown) => {
        ctx.log.error({ err: error }, 'cannot admit a live connection')
        next(refused)
      },
    )
  })
  io.on('connection', (socket) =>
    watching.serve(socket, { userId: String(socket.data.userId), sessionId: sessionOf(socket) }),
  )

  return {
    close() {
      clearInterval(timer)
      io.disconnectSockets(true)
      io.engine.close()
    },
  }
}

async function admit(socket: Socket, hooks: SocketHooks): Promise<boolean> {
  const auth = z.object({ ticket: z.string().max(200) }).safeParse(socket.handshake.auth)
  if (!auth.success) return false
  const who = await hooks.redeem(auth.data.ticket)
  if (!who) return false
  socket.data.sessionId = who.sessionId
  socket.data.userId = who.user.id
  return true
}

/** Written by `admit` before a socket exists for anybody else. */
const sessionOf = (socket: Socket): string => String(socket.data.sessionId)

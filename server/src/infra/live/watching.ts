/**
 * What each socket watches, for as long as its member may: the feed brings it what is stored, and the room of the topic what
 * is passing. Decides no rights: it asks, and asks again when they change.
 */
import { type LiveEvent, type Topic, watchSchema } from '@neuroloom/contract/live'
import type { Socket } from 'socket.io'
import * as z from 'zod'
import type { SessionUser } from '../../http/access.ts'
import { Failure } from '../../http/fail.ts'
import type { Context } from '../context.ts'
import type { Feed } from './feed.ts'
import { topicKey, topicOf } from './live.ts'

/** Refuses (by throwing a failure) whoever may not see the thing that a topic is about. */
export type Authorize = (ctx: Context, user: SessionUser, id: string) => Promise<unknown>

export type WatchHooks = {
  /** The user of a session as it is now; null when it has ended. */
  current(sessionId: string): Promise<{ user: SessionUser } | null>
  authorize: Partial<Record<Topic['kind'], Authorize>>
}

export type Member = { userId: string; sessionId: string }
type Watching = { socket: Socket; member: Member; watched: Map<string, () => void> }

/** A page watches one thing at a time; many tabs are many sockets. */
const WATCHED_AT_ONCE = 50

export function openWatching(ctx: Context, hooks: WatchHooks, feed: Feed) {
  const open = new Set<Watching>()
  let changes = 0

  const watch = async ({ socket, member, watched }: Watching, wish: unknown): Promise<object> => {
    const { after, ...topic } = watchSchema.parse(wish)
    const key = topicKey(topic)
    if (!watched.has(key) && watched.size >= WATCHED_AT_ONCE) return { ok: false, error: 'rate_limited' }
    let before: number
    do {
      before = changes
      await permit(ctx, hooks, { sessionId: member.sessionId, topic })
      // What changed meanwhile was not asked again of this socket: it did not watch yet.
    } while (before !== changes)
    if (!socket.connected) return { ok: false, error: 'missing' }
    watched.get(key)?.()
    const leaveFeed = feed.watch(key, after, (event: LiveEvent) => socket.emit('event', event))
    void socket.join(key)
    watched.set(key, () => {
      leaveFeed()
      void socket.leave(key)
    })
    return { ok: true }
  }

  /** Where one ended the line ends: the page comes back, asks for what it may still see and fetches the rest anew. */
  const askAgain = async ({ socket, member }: Watching, keys: string[]): Promise<void> => {
    try {
      for (const key of keys) await permit(ctx, hooks, { sessionId: member.sessionId, topic: topicOf(key) })
    } catch (error) {
      if (!(error instanceof Failure)) ctx.log.error({ err: error }, 'cannot ask for a right to live events')
      socket.disconnect(true)
    }
  }

  return {
    serve(socket: Socket, member: Member): void {
      const one: Watching = { socket, member, watched: new Map() }
      open.add(one)
      socket.on('disconnect', () => {
        open.delete(one)
        for (const leave of one.watched.values()) leave()
      })
      socket.on('watch', async (wish: unknown, ack: unknown) => {
        const reply = await watch(one, wish).catch((error: unknown) => refusalOf(ctx, error))
        if (typeof ack === 'function') ack(reply)
      })
    },
    /** See `Live.rightsChanged`. */
    async rightsChanged(key: string): Promise<void> {
      changes += 1
      for (const one of open) {
        const isMeant = key === '' || key === topicKey({ kind: 'user', id: one.member.userId })
        const keys = isMeant ? [...one.watched.keys()] : [key].filter((each) => one.watched.has(each))
        await askAgain(one, keys)
      }
    },
  }
}

/** The session and the right are looked up anew each time. */
async function permit(
  ctx: Context,
  hooks: WatchHooks,
  { sessionId, topic }: { sessionId: string; topic: Topic },
): Promise<void> {
  const now = await hooks.current(sessionId)
  if (!now) throw new Failure('not_signed_in', {})
  const authorize = hooks.authorize[topic.kind]
  if (!authorize) throw new Failure('missing', {})
  await authorize(ctx, now.user, topic.id)
}

function refusalOf(ctx: Context, error: unknown): object {
  if (error instanceof Failure) return { ok: false, error: error.failure }
  if (error instanceof z.ZodError) return { ok: false, error: 'bad_request' }
  ctx.log.error({ err: error }, 'watching failed')
  return { ok: false, error: 'internal' }
}

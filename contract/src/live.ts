/** Live events: one connection a tab (Socket.IO at `AI/live`), opened with a one-use ticket, replayed from the last id. */
import * as z from 'zod'

export const LIVE_PATH = '/AI/live'

/** What a page listens to. `run`: every engine event, and "kept", planes, numbers or pictures of a flow run changed; `dataset`, `project`: "changed", `user`: "notice", the page fetches anew, "run", of a run that ended, and "network", of an own one that was saved; `reading`: "steps", more were kept, and "comments", something was said of its image. `chat`: "message" and "read", see social/chats.ts. `round`: of a case round, see social/rounds.ts; and for `user` "chats", the list of chats or what is unread changed. */
export const topicSchema = z.object({
  kind: z.enum(['run', 'dataset', 'project', 'user', 'reading', 'chat', 'round']),
  id: z.string().min(1).max(40),
})
export type Topic = z.infer<typeof topicSchema>

/** Client → server `watch`, answered with `{ ok: true }` or `{ ok: false, error }`, then events after `after` follow. */
export const watchSchema = topicSchema.extend({ after: z.int().min(0) })

/** Server → client `event`. `id` 0 = passing news (progress) that is not replayed. */
export const liveEventSchema = z.object({
  id: z.int(),
  topic: topicSchema,
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
})
export type LiveEvent = z.infer<typeof liveEventSchema>

/** Lays the replies of a post out as threads that can be read: each below what it answers, indented to a limit. */
import type { Person } from '@neuroloom/contract/social/people'
import type { Reply } from '@neuroloom/contract/social/posts'

/** Deeper replies would have no room on a phone; they stay at this depth and name whom they answer. */
export const MOST_DEPTH = 3

export type ThreadedReply = {
  reply: Reply
  depth: number
  /** Whom it answers, where the indent no longer shows it. */
  to: Person | null
}

/**
 * `all` in the order of time. One whose parent is missing begins a thread; deleted ones keep their place only where a
 * reply below them can be read.
 */
export function buildThreads(all: readonly Reply[]): ThreadedReply[] {
  const known = new Map(all.map((reply) => [reply.id, reply]))
  const replies = withoutDeletedEnds(all, known)
  const answers = new Map<string | null, Reply[]>()
  for (const reply of replies) {
    const parent = reply.parentId !== null && known.has(reply.parentId) ? reply.parentId : null
    const siblings = answers.get(parent)
    if (siblings) siblings.push(reply)
    else answers.set(parent, [reply])
  }
  const threads: ThreadedReply[] = []
  // A stack, not a recursion: a post may have thousands of replies, each below the one before.
  const waiting = [...(answers.get(null) ?? [])].reverse().map((reply) => ({ reply, depth: 0 }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { reply, depth } = next
    const parent = reply.parentId === null ? undefined : known.get(reply.parentId)
    threads.push({
      reply,
      depth: Math.min(depth, MOST_DEPTH),
      to: depth > MOST_DEPTH && parent ? parent.author : null,
    })
    for (const answer of [...(answers.get(reply.id) ?? [])].reverse())
      waiting.push({ reply: answer, depth: depth + 1 })
  }
  return threads
}

function withoutDeletedEnds(all: readonly Reply[], known: ReadonlyMap<string, Reply>): Reply[] {
  const kept = new Set<string>()
  for (const { id, isDeleted } of all) {
    let next: string | null = isDeleted ? null : id
    while (next !== null && !kept.has(next)) {
      kept.add(next)
      next = known.get(next)?.parentId ?? null
    }
  }
  return all.filter(({ id }) => kept.has(id))
}

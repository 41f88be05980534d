/** What a conversation shows, worked out from its messages. Pure functions. */
import type { Message } from '@neuroloom/contract/social/chats'

/** Sorted by id, each message once. A withdrawn message stays withdrawn, whichever older answer still has its text. */
export function mergeMessages(known: readonly Message[], added: readonly Message[]): Message[] {
  const byId = new Map(known.map((message) => [message.id, message]))
  for (const message of added) if (!byId.get(message.id)?.isWithdrawn) byId.set(message.id, message)
  const sorted = [...byId.values()].sort((one, other) => one.id - other.id)
  const withdrawn = new Set(sorted.filter(({ isWithdrawn }) => isWithdrawn).map(({ id }) => id))
  return withdrawn.size === 0 ? sorted : sorted.map((message) => withoutQuote(message, withdrawn))
}

/** The text of a withdrawn message does not stay in the replies to it. */
function withoutQuote(message: Message, withdrawn: ReadonlySet<number>): Message {
  const { replyTo } = message
  if (replyTo === null || !withdrawn.has(replyTo.id)) return message
  return { ...message, replyTo: { ...replyTo, text: '', attached: null } }
}

/** Messages that one member sent within this time stand together under one name. */
const TOGETHER_MS = 5 * 60_000

export type Row =
  | { kind: 'day'; at: string }
  | { kind: 'unread' }
  | { kind: 'message'; message: Message; isContinued: boolean }

type RowOptions = {
  ownId: string
  /** Messages that stood at the top once: they keep their looks when others come above them. */
  tops: ReadonlySet<number>
  /** The last message that was read when the conversation was opened; null where no line is drawn. */
  readId: number | null
}

/**
 * Messages with a line above each day, and one above the first unread message. Those above the first of all stand above the
 * list: in it they would go elsewhere with what comes before.
 */
export function rowsOf(messages: readonly Message[], { ownId, tops, readId }: RowOptions): Row[] {
  const rows: Row[] = []
  let previous: Message | null = null
  let hasUnreadLine = readId === null
  for (const message of messages) {
    const isNewDay = previous !== null && dayOf(previous.at) !== dayOf(message.at)
    const isUnread = previous !== null && !hasUnreadLine && isUnreadBy(message, { ownId, readId })
    if (previous === null) hasUnreadLine ||= isUnreadBy(message, { ownId, readId })
    if (isNewDay) rows.push({ kind: 'day', at: message.at })
    if (isUnread) {
      rows.push({ kind: 'unread' })
      hasUnreadLine = true
    }
    const isContinued =
      !isNewDay && !isUnread && !tops.has(message.id) && previous !== null && areTogether(previous, message)
    rows.push({ kind: 'message', message, isContinued })
    previous = message
  }
  return rows
}

type Read = Pick<RowOptions, 'ownId' | 'readId'>

/** Own messages are never unread. */
export const isUnreadBy = ({ id, from }: Message, { ownId, readId }: Read): boolean =>
  readId !== null && id > readId && from.id !== ownId

function areTogether(previous: Message, message: Message): boolean {
  if (previous.event !== null || message.event !== null) return false
  if (previous.from.id !== message.from.id || previous.isWithdrawn) return false
  return Date.parse(message.at) - Date.parse(previous.at) < TOGETHER_MS
}

/** The local day of a moment: equal for two moments of the same day. */
function dayOf(at: string | number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`
}

/** Days between the day of a moment and today, both local: 0 today, 1 yesterday. */
export function daysAgo(at: string, now: number): number {
  const midnight = (moment: string | number) => {
    const date = new Date(moment)
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  }
  return Math.round((midnight(now) - midnight(at)) / 86_400_000)
}

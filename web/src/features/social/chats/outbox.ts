/** Messages on their way to the server, and those that did not arrive. They survive a change of conversation and a reload. */
import type { Message } from '@neuroloom/contract/social/chats'
import { useSyncExternalStore } from 'react'
import { call, messageOf } from '../../../lib/api.ts'
import { isOpenable, referenceOf } from '../attachments/references.ts'

export type Unsent = Pick<
  Message,
  'chatId' | 'requestId' | 'text' | 'attachments' | 'at' | 'replyTo' | 'mentions'
> & {
  memberId: string
  state: 'waiting' | 'failed'
  /** Why it failed, in words. */
  reason: string
}

const KEY = 'socialUnsent'
const listeners = new Set<() => void>()
/** Per conversation, so that messages arrive in the order in which they were written. */
const deliveries = new Map<string, Promise<void>>()
let stored: { text: string | null; unsent: readonly Unsent[] } = { text: null, unsent: [] }
/** Being sent by this page; others that wait were left by a page that is gone. */
const underway = new Set<string>()

export function useUnsent(memberId: string, chatId: string): Unsent[] {
  const unsent = useSyncExternalStore(subscribe, readAll, () => none)
  return unsent
    .filter((one) => one.memberId === memberId && one.chatId === chatId)
    .map((one) => (underway.has(one.requestId) ? one : { ...one, state: 'failed' }))
}

const none: readonly Unsent[] = []

/** Sends a message, or tries again with the same request id. `onStored` gets the message that the server keeps. */
export async function deliver(
  message: Omit<Unsent, 'state' | 'reason'>,
  onStored: (stored: Message) => void,
): Promise<void> {
  const { chatId, requestId } = message
  if (underway.has(requestId)) return
  underway.add(requestId)
  keep({ ...message, state: 'waiting', reason: '' })
  const previous = deliveries.get(chatId) ?? Promise.resolve()
  const delivery = previous.then(() => sendOne(message, onStored))
  deliveries.set(chatId, delivery)
  await delivery
}

export function discard(requestId: string): void {
  write(readAll().filter((one) => one.requestId !== requestId))
}

async function sendOne(message: Omit<Unsent, 'state' | 'reason'>, onStored: (stored: Message) => void) {
  const { chatId, requestId, text, replyTo, mentions } = message
  try {
    const attachments = message.attachments.filter(isOpenable).map(referenceOf)
    const body = { chatId, requestId, text, attachments, replyTo: replyTo?.id ?? null, mentions }
    onStored(await call('social/send', body, { quiet: true }))
    // After the stored message is shown: the line never disappears in between.
    setTimeout(() => {
      underway.delete(requestId)
      discard(requestId)
    })
  } catch (error) {
    underway.delete(requestId)
    keep({ ...message, state: 'failed', reason: messageOf(error) })
  }
}

function keep(one: Unsent): void {
  const all = readAll()
  const isKnown = all.some(({ requestId }) => requestId === one.requestId)
  write(isKnown ? all.map((other) => (other.requestId === one.requestId ? one : other)) : [...all, one])
}

function readAll(): readonly Unsent[] {
  const text = localStorage.getItem(KEY)
  if (text !== stored.text) stored = { text, unsent: parse(text) }
  return stored.unsent
}

function write(unsent: readonly Unsent[]): void {
  const text = unsent.length === 0 ? null : JSON.stringify(unsent)
  try {
    if (text === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, text)
  } catch {
    // The browser's storage is full: these messages live as long as the page.
  }
  stored = { text: localStorage.getItem(KEY), unsent }
  for (const listener of listeners) listener()
}

function parse(text: string | null): readonly Unsent[] {
  try {
    // Written by `write` alone.
    const unsent = text === null ? [] : (JSON.parse(text) as Unsent[])
    // A version before may have written them.
    return unsent.map((one) => ({ ...one, attachments: one.attachments ?? [] }))
  } catch {
    return []
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab of this browser sends as well.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** What a member was writing, per conversation: kept in this browser across reloads. */
import type { Message } from '@neuroloom/contract/social/chats'

export type Draft = {
  text: string
  replyTo: Message['replyTo']
  /** Chosen behind an @. */
  named: { id: string; nickName: string }[]
}

export const emptyDraft: Draft = { text: '', replyTo: null, named: [] }

const keyOf = (memberId: string): string => `socialDrafts:${memberId}`

export function readDraft(memberId: string, chatId: string): Draft {
  const draft = readAll(memberId)[chatId]
  return { ...emptyDraft, ...draft }
}

/** An empty one is forgotten. */
export function keepDraft(memberId: string, chatId: string, draft: Draft): void {
  const { [chatId]: _, ...others } = readAll(memberId)
  const isEmpty = draft.text === '' && draft.replyTo === null
  const drafts = isEmpty ? others : { ...others, [chatId]: draft }
  try {
    localStorage.setItem(keyOf(memberId), JSON.stringify(drafts))
  } catch {
    // The browser's storage is full: the text is still in its field.
  }
}

function readAll(memberId: string): Record<string, Partial<Draft>> {
  try {
    // Written by `keepDraft` alone; a hand-edited one only changes what this browser shows.
    return JSON.parse(localStorage.getItem(keyOf(memberId)) ?? '{}') as Record<string, Partial<Draft>>
  } catch {
    return {}
  }
}

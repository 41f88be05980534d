/** What attachments hold, as the server lets this member see it now: asked for together, whatever shows them. */
import { social as limits } from '@neuroloom/contract/limits'
import type { AttachmentReference, Opened } from '@neuroloom/contract/social/attachments'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { cardKey, type Openable, referenceOf } from './references.ts'

/**
 * In their order: `undefined` while it is asked for, null of what is not there any more, or not for this member. `askAgain`:
 * what it said has no effect any more, perhaps for its age.
 */
export function useOpened(attachments: readonly Openable[]) {
  const queries = useQueryClient()
  const opened = useQueries({
    queries: attachments.map((one) => ({
      queryKey: keyOf(one),
      queryFn: () => open(referenceOf(one)),
      // An image asks for itself each time; what a card says is asked for again, as rights change.
      staleTime: one.kind === 'image' ? limits.imageLinkMs / 2 : CARD_MS,
    })),
    combine: (results) => results.map(({ data }) => data),
  })
  return {
    opened,
    askAgain: (one: Openable) => void queries.refetchQueries({ queryKey: keyOf(one) }),
  }
}

const CARD_MS = 30_000

const keyOf = (one: Openable) => ['social/openAttachments', one.kind === 'image' ? one.id : cardKey(one)]

type Waiting = {
  reference: AttachmentReference
  resolve: (opened: Opened | null) => void
  reject: (error: unknown) => void
}
let waiting: Waiting[] = []

function open(reference: AttachmentReference): Promise<Opened | null> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setTimeout(() => void ask())
    waiting.push({ reference, resolve, reject })
  })
}

async function ask(): Promise<void> {
  const asked = waiting.slice(0, limits.opened)
  waiting = waiting.slice(limits.opened)
  if (waiting.length > 0) setTimeout(() => void ask())
  try {
    const attachments = asked.map(({ reference }) => reference)
    const { opened } = await call('social/openAttachments', { attachments }, { quiet: true })
    for (const [index, { resolve }] of asked.entries()) resolve(opened[index] ?? null)
  } catch (error) {
    for (const { reject } of asked) reject(error)
  }
}

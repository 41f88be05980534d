/** What attachments hold, as the server lets this member see it now: asked for together, whatever shows them. */
import { social as limits } from '@neuroloom/contract/limits'
import type { Attachment, AttachmentReference, Opened } from '@neuroloom/contract/social/attachments'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'

/**
 * In their order: `undefined` while it is asked for, null of what is not there any more, or not for this member. `askAgain`:
 * what it said has no effect any more, perhaps for its age.
 */
export function useOpened(attachments: readonly Attachment[]) {
  const queries = useQueryClient()
  const keyOf = (id: string) => ['social/openAttachments', id]
  const opened = useQueries({
    queries: attachments.map(({ kind, id }) => ({
      queryKey: keyOf(id),
      queryFn: () => open({ kind, id }),
      staleTime: limits.imageLinkMs / 2,
    })),
    combine: (results) => results.map(({ data }) => data),
  })
  return {
    opened,
    askAgain: (id: string) => void queries.refetchQueries({ queryKey: keyOf(id) }),
  }
}

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

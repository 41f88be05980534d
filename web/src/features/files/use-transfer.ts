import type { Entry } from '@neuroloom/contract/files'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'

/** Entries that are to go elsewhere. */
export type Transfer = { kind: 'move' | 'copy'; entries: readonly Pick<Entry, 'id' | 'name'>[] }
/** What waits for an answer: names that are taken where the entries are to go. */
type Asked = { kind: Transfer['kind']; ids: string[]; targetId: string | null; conflicts: string[] }

/** Moves and copies by dialog or by dragging; asks once about names that are taken. */
export function useTransfer({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('files')
  const [transfer, choose] = useState<Transfer | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => {
    choose(null)
    setAsked(null)
  }
  const options = (kind: Transfer['kind']) => ({
    refresh: ['files/list', 'user/size'] as const,
    onDone: (
      { conflicts, done }: { conflicts: string[]; done: number },
      { ids, targetId }: { ids: string[]; targetId: string | null },
    ) => {
      if (conflicts.length > 0) return setAsked({ kind, ids, targetId, conflicts })
      toast.success(t(kind === 'move' ? 'moved' : 'copied', { count: done }))
      close()
      onDone()
    },
  })
  const move = useAction('files/move', options('move'))
  const copy = useAction('files/copy', options('copy'))
  const send = (kind: Transfer['kind'], body: Parameters<typeof move.mutate>[0]) =>
    (kind === 'move' ? move : copy).mutate(body)

  return {
    chosen: transfer ?? (asked && { kind: asked.kind, entries: [] }),
    asked,
    isBusy: move.isPending || copy.isPending,
    choose,
    close,
    /** From the dialog. */
    into: (targetId: string | null) => {
      if (transfer)
        send(transfer.kind, { ids: transfer.entries.map(({ id }) => id), targetId, sameName: 'ask' })
    },
    dropInto: (ids: string[], { id, isCopy }: { id: string | null; isCopy: boolean }) =>
      send(isCopy ? 'copy' : 'move', { ids, targetId: id, sameName: 'ask' }),
    answer: (sameName: 'overwrite' | 'skip' | 'rename') => {
      if (asked) send(asked.kind, { ids: asked.ids, targetId: asked.targetId, sameName })
    },
  }
}

export type Transfers = ReturnType<typeof useTransfer>

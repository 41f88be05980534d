import type { Notice } from '@neuroloom/contract/accounts/accounts'
import { useEffect, useState } from 'react'
import { useAction, useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { NoticeList } from './notice-list.tsx'

/** The message box as a page: what was unread when it was shown stands out until the page is left. */
export function MessageBox() {
  const { data, error, refetch } = useCall('notice/list', {}, { quiet: true })
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set())
  const { mutate } = useAction('notice/read', { refresh: ['notice/list', 'social/unread'], quiet: true })
  const newest = data?.items[0]?.id
  const unreadCount = data?.unreadCount ?? 0
  useEffect(() => {
    if (!data) return
    setUnread(
      (known) => new Set([...known, ...data.items.filter(({ isRead }) => !isRead).map(({ id }) => id)]),
    )
  }, [data])
  useEffect(() => {
    if (newest !== undefined && unreadCount > 0) mutate({ id: newest })
  }, [newest, unreadCount, mutate])
  if (!data)
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape="rows" />
  const shown = data.items.map((notice): Notice => ({ ...notice, isRead: !unread.has(notice.id) }))
  return <NoticeList items={shown} isPage />
}

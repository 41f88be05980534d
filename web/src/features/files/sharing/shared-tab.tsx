import { UserSwitchOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useAction, usePages } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { SharedTable } from './shared-table.tsx'

/** What other members shared with oneself. */
export function SharedTab() {
  const { t } = useTranslation('sharing')
  const query = usePages('files/sharedWithMe', {})
  const shared = query.data?.pages.flatMap((page) => page.shared) ?? []
  const leave = useAction('files/leaveShare', { refresh: ['files/sharedWithMe', 'files/list'] })
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError && shared.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (shared.length === 0)
    return (
      <EmptyState
        icon={<UserSwitchOutlined aria-hidden />}
        title={t('sharedEmpty')}
        text={t('sharedEmptyText')}
      />
    )
  return (
    <>
      <SharedTable
        shared={shared}
        ending={({ shareId }) => ({ label: t('leave'), end: () => leave.mutate({ shareId }) })}
      />
      <MoreButton query={query} />
    </>
  )
}

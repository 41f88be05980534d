import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading } from '../../ui/loading.tsx'

/** On a hospital's own server nothing is sold, which is said before anything is asked. */
export function WhereSold({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shop')
  const { data, isPending } = useCall('setting/public', {}, { quiet: true })
  if (isPending) return <Loading shape="page" />
  if (data && data.host < 0)
    return (
      <EmptyState
        title={t('private.title')}
        text={t('private.text')}
        action={<Link to="/dripe">{t('private.toDripe')}</Link>}
      />
    )
  return children
}

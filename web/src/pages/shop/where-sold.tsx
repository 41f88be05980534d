import type { ModuleName } from '@neuroloom/contract/office/modules'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading } from '../../ui/loading.tsx'

type Props = {
  /** Without which there is nothing to do on the page. */
  module?: ModuleName
  children: ReactNode
}

/** Nothing is sold on a hospital's own server, nor in a module that is switched off: said before anything is asked. */
export function WhereSold({ module, children }: Props) {
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
  if (module && data?.off.includes(module)) return <EmptyState title={t('off.title')} text={t('off.text')} />
  return children
}

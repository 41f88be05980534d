import { SwapOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { usePages } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { ConversionCard } from './conversion-card.tsx'
import type { Opened } from './conversion-item.tsx'
import styles from './convert.module.css'

const ResultDialog = lazyPart(async () => (await import('./result-dialog.tsx')).ResultDialog, { over: true })

/** Own conversions, newest first; the page around it makes the list follow what the server tells. */
export function ConversionsTab() {
  const { t } = useTranslation('conversions')
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened | null>(null)
  const query = usePages('files/conversions', {})
  const conversions = query.data?.pages.flatMap((page) => page.conversions) ?? []
  if (query.isPending) return <Loading shape="rows" count={4} />
  if (query.isError && conversions.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (conversions.length === 0)
    return (
      <EmptyState
        icon={<SwapOutlined aria-hidden />}
        title={t('list.empty')}
        text={t('list.emptyText')}
        action={
          <Button type="primary" onClick={() => void navigate('/cloudHome')}>
            {t('list.toFiles')}
          </Button>
        }
      />
    )
  return (
    <>
      <div className={styles.list}>
        {conversions.map((conversion, index) => (
          <ConversionCard
            key={conversion.id}
            conversion={conversion}
            isFirst={index === 0}
            onOpen={setOpened}
          />
        ))}
      </div>
      <MoreButton query={query} />
      <Suspense>{opened && <ResultDialog result={opened} onClose={() => setOpened(null)} />}</Suspense>
    </>
  )
}

import type { Answer } from '@neuroloom/contract/calls'
import type { CustomTask } from '@neuroloom/contract/custom/task-calls'
import { Alert, Button } from 'antd'
import type { TFunction } from 'i18next'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { formatFen } from '../../lib/format-money.ts'
import { useIsOff } from '../../lib/modules.ts'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { UpgradeLink } from '../../ui/limits/upgrade-link.tsx'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './custom.module.css'
import { OwnTaskCard } from './own-task-card.tsx'

const RequestDialog = lazyPart(async () => (await import('./request-dialog.tsx')).RequestDialog, {
  over: true,
})

type Prices = Answer<'customTask/prices'>
type Props = {
  /** Pays a task whose price is known. */
  onPay: (task: CustomTask) => void
}

/** Private customisation: what it is, asking for a task, and the own ones with their states. */
export function OwnTasks({ onPay }: Props) {
  const { data, error, refetch } = useCall('customTask/prices', {}, { quiet: true })
  if (data) return <Tasks prices={data} onPay={onPay} />
  return error ? (
    <ErrorState error={error} retry={() => void refetch()} />
  ) : (
    <Loading shape="rows" count={4} />
  )
}

function Tasks({ prices, onPay }: Props & { prices: Prices }) {
  const { t } = useTranslation('custom')
  const [query] = useSearchParams()
  const [page, setPage] = useState(1)
  const [isAsking, setAsking] = useState(false)
  const { data, error, refetch, isPlaceholderData } = useCall(
    'customTask/list',
    { page },
    { quiet: true, keepPrevious: true },
  )
  if (data?.tasks.length === 0 && page > 1 && !isPlaceholderData) setPage(page - 1)
  const isOff = useIsOff('custom')
  const mayUse = prices.mayUse && !isOff
  const mayOrder = prices.mayOrder && !isOff
  const opened = query.get('task')
  return (
    <>
      <p className={styles.about}>{t('about')}</p>
      {isOff && <Alert type="info" showIcon className={styles.level ?? ''} title={t('off')} />}
      {!mayOrder && !isOff && (
        <Alert
          type="info"
          showIcon
          className={styles.level ?? ''}
          title={t(mayUse ? 'level.order' : 'level.use')}
          action={<UpgradeLink />}
        />
      )}
      {mayUse && (
        <Facts
          facts={prices.prices.map(({ kind, priceFen }) => [t(`kind.${kind}`), fixedPrice(priceFen, t)])}
        />
      )}
      {mayUse && (
        <div className={styles.tools}>
          <Button type="primary" disabled={!mayOrder} onClick={() => setAsking(true)}>
            {t('ask.open')}
          </Button>
        </div>
      )}
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.tasks.length === 0 && mayUse && (
        <EmptyState heading="h2" title={t('empty.title')} text={t('empty.text')} />
      )}
      <ul className={styles.cards} aria-label={t('tasks')}>
        {data?.tasks.map((task) => (
          <li key={task.id}>
            <OwnTaskCard
              task={task}
              mayOrder={mayOrder}
              isOpened={task.id === opened}
              onPay={() => onPay(task)}
            />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
      <Suspense>
        {isAsking && <RequestDialog task={null} prices={prices.prices} onClose={() => setAsking(false)} />}
      </Suspense>
    </>
  )
}

function fixedPrice(priceFen: number | null, t: TFunction<'custom'>): string {
  if (priceFen === null) return t('price.byReview')
  return priceFen === 0 ? t('price.free') : formatFen(priceFen)
}

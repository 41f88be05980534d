import type { Body } from '@neuroloom/contract/calls'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { MailIcon } from '../../ui/pictures/pictograms.tsx'
import { VisitorMessageCard } from './visitor-message-card.tsx'
import styles from './visitor-messages.module.css'

type State = NonNullable<Body<'site/messages'>['state']>
const states: readonly State[] = ['open', 'answered', 'all']

/** Consultations and messages, newest first, a page at a time. */
export function VisitorMessages() {
  const { t } = useTranslation('admin')
  const [state, setState] = useState<State>('open')
  const [before, setBefore] = useState<string | null>(null)
  const { data, error, refetch } = useCall(
    'site/messages',
    { state, ...(before === null ? {} : { before }) },
    { quiet: true, keepPrevious: true },
  )
  const choose = (chosen: State) => {
    setState(chosen)
    setBefore(null)
  }
  return (
    <>
      <Segmented<State>
        aria-label={t('states')}
        value={state}
        onChange={choose}
        options={states.map((value) => ({
          value,
          label: value === 'open' && data ? t('openCount', { count: data.openCount }) : t(`state.${value}`),
        }))}
      />
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.items.length === 0 && (
        <EmptyState icon={<MailIcon />} title={t('empty.title')} text={t('empty.text')} />
      )}
      <ul className={styles.list}>
        {data?.items.map((message) => (
          <li key={message.id}>
            <VisitorMessageCard message={message} />
          </li>
        ))}
      </ul>
      <div className={styles.paging}>
        {before !== null && <Button onClick={() => setBefore(null)}>{t('newest')}</Button>}
        {data?.next && <Button onClick={() => setBefore(data.next)}>{t('older')}</Button>}
      </div>
    </>
  )
}

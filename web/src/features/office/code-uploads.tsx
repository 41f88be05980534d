import type { OfficeCode } from '@neuroloom/contract/custom/code-calls'
import { Alert, Select } from 'antd'
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import list from '../../ui/list.module.css'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import type { CodeText } from './code-text.ts'
import { CodeUploadCard } from './code-upload-card.tsx'
import styles from './office.module.css'

type State = OfficeCode['state']
const states = ['pending_review', 'approved', 'rejected'] as const

type Props = {
  /** A text with the colours of its language, which the editor of networks shows. */
  Text: ComponentType<CodeText>
}

/** Code that members uploaded, first what waits; and whether this machine could run it. */
export function CodeUploads({ Text }: Props) {
  const { t } = useTranslation('code-office')
  const [state, setState] = useState<State | null>('pending_review')
  const [page, setPage] = useState(1)
  const { data: sandbox } = useCall('office/codeSandbox', {}, { quiet: true })
  const { data, error, refetch, isPlaceholderData } = useCall(
    'office/codeUploads',
    { state, page },
    { quiet: true, keepPrevious: true },
  )
  // What was decided may have been the last of its page.
  if (data?.uploads.length === 0 && page > 1 && !isPlaceholderData) setPage(page - 1)
  const missing = sandbox?.missing ?? []
  return (
    <>
      {missing.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('sandbox.missing', { parts: missing.map((part) => t(`sandbox.part.${part}`)).join(', ') })}
          description={t('sandbox.setUp')}
        />
      )}
      <div className={list.tools}>
        <Select<State | 'all'>
          aria-label={t('state')}
          value={state ?? 'all'}
          onChange={(chosen) => {
            setState(chosen === 'all' ? null : chosen)
            setPage(1)
          }}
          options={[
            ...states.map((value) => ({ value, label: t(`states.${value}`) })),
            { value: 'all' as const, label: t('allStates') },
          ]}
        />
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.uploads.length === 0 && (
        <EmptyState title={t(state === 'pending_review' ? 'noneWaits' : 'none')} text={t('emptyText')} />
      )}
      <ul className={styles.cards} aria-label={t('title')}>
        {data?.uploads.map((upload) => (
          <li key={upload.id}>
            <CodeUploadCard
              upload={upload}
              Text={Text}
              canRun={sandbox !== undefined && missing.length === 0}
            />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
    </>
  )
}

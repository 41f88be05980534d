import { codeFolders } from '@neuroloom/contract/custom/code'
import type { CodeUpload } from '@neuroloom/contract/custom/code-calls'
import { code as limits } from '@neuroloom/contract/limits'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/format.ts'
import { useIsOff } from '../../../lib/modules.ts'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ListPages } from '../../../ui/list-pages.tsx'
import { Loading } from '../../../ui/loading.tsx'
import styles from '../custom.module.css'
import { CodeCard } from './code-card.tsx'
import { useCodeUpload } from './use-code-upload.tsx'

const POLL_MS = 3000

/** Code that the member uploaded: what an archive has to look like, and how each upload stands. */
export function OwnCode() {
  const { t } = useTranslation('code')
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useCall(
    'codeUpload/list',
    { page },
    {
      quiet: true,
      keepPrevious: true,
      refetchInterval: ({ state }) => (state.data?.uploads.some(isBeingRead) ? POLL_MS : false),
    },
  )
  const upload = useCodeUpload()
  const isOff = useIsOff('code')
  if (data?.uploads.length === 0 && page > 1 && !isPlaceholderData) setPage(page - 1)
  return (
    <>
      <p className={styles.about}>{t('about')}</p>
      <p>{t('folders', { size: formatBytes(limits.zipBytes) })}</p>
      <ul>
        {codeFolders.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
      {isOff ? (
        <Alert type="info" showIcon className={styles.level ?? ''} title={t('off')} />
      ) : (
        <div className={styles.tools}>
          <Button type="primary" loading={upload.isPending} onClick={upload.choose}>
            {t('upload.open')}
          </Button>
          {upload.field}
        </div>
      )}
      {upload.problem !== null && (
        <Alert
          type="error"
          showIcon
          role="alert"
          className={styles.level ?? ''}
          title={t('upload.refused')}
          description={upload.problem}
        />
      )}
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.uploads.length === 0 && <EmptyState title={t('empty.title')} text={t('empty.text')} />}
      <ul className={styles.cards} aria-label={t('uploads')}>
        {data?.uploads.map((one) => (
          <li key={one.id}>
            <CodeCard upload={one} />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
    </>
  )
}

const isBeingRead = ({ isInspected }: CodeUpload): boolean => !isInspected

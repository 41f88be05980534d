import type { TextScan } from '@neuroloom/contract/burned-in'
import { Alert, Progress } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useLive } from '../../../lib/live.ts'
import { useCall } from '../../../lib/query.ts'
import { useUser } from '../../../lib/session.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Page, PageHeader } from '../../../ui/page.tsx'
import { Confirming } from './confirming.tsx'
import { Proof } from './proof.tsx'
import { ScanActions } from './scan-actions.tsx'
import { TextMark } from './text-mark.tsx'
import styles from './texts.module.css'

/** One search for texts on its way: how far it is, what is to be confirmed, the copies and their proof. */
export function ScanView({ id }: { id: string }) {
  const { t } = useTranslation('texts')
  const [page, setPage] = useState(0)
  const user = useUser()
  useLive(user && { kind: 'user', id: user.id }, { refresh: ['files/textPictures'] })
  const query = useCall('files/textPictures', { id, page }, { quiet: true, keepPrevious: true })
  const back = { to: '/cloudTexts', label: t('title') }
  if (!query.data)
    return (
      <Page>
        <PageHeader title={t('title')} back={back} />
        {query.isError ? (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading shape="rows" count={4} />
        )}
      </Page>
    )
  const { scan, pictures, pages } = query.data
  const list = { scan, pictures, paging: { page, pages, onPage: setPage } }
  return (
    <Page>
      <PageHeader
        title={scan.name || t('waits')}
        name={t('title')}
        subtitle={t('pictures', { count: scan.total, shown: formatNumber(scan.total) })}
        back={back}
        actions={<ScanActions scan={scan} />}
      />
      <div className={styles.list}>
        <div>
          <TextMark scan={scan} />
        </div>
        <Way scan={scan} />
        {scan.failure && <Alert type="error" showIcon title={t(`failure.${scan.failure}`)} />}
        {scan.step === 'seek' && scan.state === 'done' && <Confirming {...list} />}
        {scan.step === 'copy' && scan.state !== 'waiting' && <Proof {...list} />}
      </div>
    </Page>
  )
}

function Way({ scan: { step, state, through, total } }: { scan: TextScan }) {
  const { t } = useTranslation('texts')
  if (state !== 'running' && state !== 'waiting') return null
  return (
    <div className={styles.way}>
      <Progress
        percent={total === 0 ? 0 : Math.floor((through / total) * 100)}
        showInfo={false}
        status="active"
        aria-label={t(`states.${step}.running`)}
      />
      <span>{t('through', { through: formatNumber(through), total: formatNumber(total) })}</span>
      <span>{t('mayLeave')}</span>
    </div>
  )
}

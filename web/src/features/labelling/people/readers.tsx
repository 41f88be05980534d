import type { LabelSet, ReadingCounts } from '@neuroloom/contract/labelling/labelling'
import { client } from '@neuroloom/contract/limits'
import { Alert, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Panel } from '../../../ui/page.tsx'
import share from '../../../ui/share/share.module.css'
import { type Rights, ShareForm } from '../../../ui/share/share-form.tsx'
import { ShareList } from '../../../ui/share/share-list.tsx'
import styles from './people.module.css'

const refresh = ['labelling/readers', 'labelling/agreement'] as const

/** Who reads an own set, what each may do, and how far they are. */
export function Readers({ set: { id, items, blind } }: { set: LabelSet }) {
  const { t } = useTranslation('label-people')
  const query = useCall('labelling/readers', { id }, { quiet: true, refetchInterval: client.pollMs })
  const add = useAction('labelling/addReader', { refresh, quiet: true })
  const change = useAction('labelling/changeReader', { refresh })
  const remove = useAction('labelling/removeReader', { refresh })
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const { readers, own, limit, namePatients } = query.data
  const rights: Rights<'read' | 'review'> = [
    { value: 'read', label: t('may.read') },
    { value: 'review', label: t('may.review') },
  ]
  return (
    <Panel title={t('readers')}>
      <p className={styles.rule}>
        {t(blind ? 'blind' : 'open')}{' '}
        <Link to={`/labelling?set=${encodeURIComponent(id)}&tab=settings`}>{t('changeBlind')}</Link>
      </p>
      {namePatients > 0 && (
        <Alert
          type="warning"
          showIcon
          className={styles.told ?? ''}
          title={t('namePatients', { count: namePatients, shown: formatNumber(namePatients) })}
        />
      )}
      <ShareForm
        rights={rights}
        first="read"
        onShare={(account, permission) => add.mutateAsync({ id, account, permission })}
      />
      <div className={styles.own}>
        <strong>{t('you')}</strong>
        <Done progress={own} items={items} />
      </div>
      <ShareList
        rights={rights}
        shares={readers}
        about={({ progress }) => <Done progress={progress} items={items} />}
        onChange={(readerId, permission) => change.mutateAsync({ readerId, permission })}
        onWithdraw={(readerId) => remove.mutateAsync({ readerId })}
      />
      <p className={`${share.soft} ${share.note}`}>{t('count', { count: readers.length, limit })}</p>
    </Panel>
  )
}

function Done({ progress, items }: { progress: ReadingCounts; items: number }) {
  const { t } = useTranslation('label-people')
  const { open, done, accepted, returned } = progress
  const shown = { items: formatNumber(items), done: formatNumber(done + accepted) }
  const more = [
    ...(accepted > 0 ? [t('stand.accepted', { shown: formatNumber(accepted) })] : []),
    ...(returned > 0 ? [t('stand.returned', { shown: formatNumber(returned) })] : []),
    ...(open > 0 ? [t('stand.open', { shown: formatNumber(open) })] : []),
  ]
  return (
    <span className={styles.done}>
      <Progress
        size="small"
        showInfo={false}
        percent={items === 0 ? 0 : Math.round((100 * (done + accepted)) / items)}
        aria-label={t('stand.done', shown)}
      />
      <small>{[t('stand.done', shown), ...more].join(' · ')}</small>
    </span>
  )
}

import { HighlightOutlined, PlusOutlined } from '@ant-design/icons'
import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { Button, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useLive } from '../../../lib/live.ts'
import { useCall } from '../../../lib/query.ts'
import { useUser } from '../../../lib/session.ts'
import cards from '../../../ui/card.module.css'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Page, PageHeader } from '../../../ui/page.tsx'
import styles from './sets.module.css'

/** Own sets and those one reads, with how far they are. */
export function SetList({ onNew }: { onNew: () => void }) {
  const { t } = useTranslation('labelling')
  const user = useUser()
  useLive(user && { kind: 'user', id: user.id }, { refresh: ['labelling/list'] })
  const query = useCall('labelling/list', {}, { quiet: true })
  const create = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={onNew}>
      {t('sets.new')}
    </Button>
  )
  const sets = query.data?.sets ?? []
  return (
    <Page>
      <PageHeader title={t('sets.title')} subtitle={t('sets.subtitle')} actions={sets.length > 0 && create} />
      {query.isPending && <Loading shape="cards" count={3} />}
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && sets.length === 0 && (
        <EmptyState
          icon={<HighlightOutlined aria-hidden />}
          title={t('sets.emptyTitle')}
          text={t('sets.emptyText')}
          action={create}
        />
      )}
      <ul className={cards.grid}>
        {sets.map((set) => (
          <SetCard key={set.id} set={set} />
        ))}
      </ul>
    </Page>
  )
}

function SetCard({ set }: { set: LabelSet }) {
  const { t } = useTranslation('labelling')
  const { id, name, description, owner, items, finished, createdAt, state } = set
  return (
    <li className={cards.card}>
      <div className={cards.head}>
        <div className={cards.names}>
          <Link className={`${cards.link} ${cards.target}`} to={`/labelling?set=${encodeURIComponent(id)}`}>
            {name}
          </Link>
          <span>{owner === '' ? description : t('sets.by', { owner })}</span>
        </div>
      </div>
      {state === 'ready' ? (
        <Progress
          percent={items === 0 ? 0 : Math.round((100 * finished.mine) / items)}
          format={() => `${formatNumber(finished.mine)} / ${formatNumber(items)}`}
          aria-label={t('sets.progress')}
        />
      ) : (
        <p className={styles.state}>{t(`sets.${state}`)}</p>
      )}
      <div className={cards.foot}>
        <span>{t('sets.images', { count: items, shown: formatNumber(items) })}</span>
        <time dateTime={createdAt}>{formatDate(createdAt, 'relative')}</time>
      </div>
    </li>
  )
}

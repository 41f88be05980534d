import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { client } from '@neuroloom/contract/limits'
import { Alert, Progress } from 'antd'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Page, PageHeader } from '../../../ui/page.tsx'
import { TabLinks } from '../../../ui/tab-links.tsx'
import { ItemList } from './item-list.tsx'
import { SetActions, type SetActionsProps } from './set-actions.tsx'
import styles from './sets.module.css'

// Readers of a set see its images alone.
const Readers = lazyPart(async () => (await import('../people/readers.tsx')).Readers)
const Agreement = lazyPart(async () => (await import('../people/agreement.tsx')).Agreement)
const SetSettings = lazyPart(async () => (await import('./set-settings.tsx')).SetSettings)

const tabNames = ['images', 'readers', 'agreement', 'settings'] as const
type Tab = (typeof tabNames)[number]

type SetPageProps = { setId: string; tab: string | null } & Omit<SetActionsProps, 'set'>

/** A set: its images, and for whoever owns or judges it the people who read it. */
export function SetPage({ setId, tab, ...ways }: SetPageProps) {
  const query = useCall('labelling/detail', { id: setId }, { quiet: true, refetchInterval: client.pollMs })
  return (
    <Page>
      {query.isPending && <Loading shape="page" />}
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && <Shown set={query.data} tab={tab} ways={ways} />}
    </Page>
  )
}

const tabsOf = ({ right }: LabelSet): readonly Tab[] =>
  (({ own: tabNames, review: ['images', 'agreement'], read: [] }) as const)[right]

type ShownProps = { set: LabelSet; tab: string | null; ways: Omit<SetActionsProps, 'set'> }

function Shown({ set, tab, ways }: ShownProps) {
  const { t } = useTranslation('labelling')
  const tabs = tabsOf(set)
  const current = tabs.find((name) => name === tab) ?? 'images'
  const parts: Record<Tab, () => ReactNode> = {
    images: () => <Images set={set} />,
    readers: () => <Readers set={set} />,
    agreement: () => <Agreement set={set} />,
    settings: () => <SetSettings set={set} />,
  }
  return (
    <>
      <PageHeader
        title={set.name}
        subtitle={set.description}
        back={{ to: '/labelling', label: t('sets.title') }}
        actions={<SetActions set={set} {...ways} />}
      />
      {tabs.length > 0 && (
        <TabLinks
          label={t('tabs.label')}
          current={current}
          tabs={tabs.map((key) => ({
            key,
            label: t(`tabs.${key}`),
            to: `/labelling?set=${encodeURIComponent(set.id)}${key === 'images' ? '' : `&tab=${key}`}`,
          }))}
        />
      )}
      <Suspense fallback={<Loading shape="rows" count={4} />}>{parts[current]()}</Suspense>
    </>
  )
}

function Images({ set }: { set: LabelSet }) {
  const { t } = useTranslation('labelling')
  const { id, state, failure, items, finished } = set
  return (
    <>
      <div className={styles.progress}>
        <Progress
          percent={items === 0 ? 0 : Math.round((100 * finished.mine) / items)}
          format={() => `${formatNumber(finished.mine)} / ${formatNumber(items)}`}
          aria-label={t('sets.progress')}
        />
        {set.right !== 'read' && (
          <p className={styles.hint}>
            {t('sets.all', { any: formatNumber(finished.any), accepted: formatNumber(finished.accepted) })}
          </p>
        )}
      </div>
      {state === 'gathering' && <Alert type="info" showIcon title={t('sets.gathering')} />}
      {state === 'failed' && (
        <Alert type="warning" showIcon title={t(`sets.failure.${failure ?? 'internal'}`)} />
      )}
      <ItemList key={`${id} ${state}`} set={set} />
    </>
  )
}

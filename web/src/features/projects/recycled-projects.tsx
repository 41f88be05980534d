import { RestOutlined } from '@ant-design/icons'
import type { RecycledProject } from '@neuroloom/contract/projects'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import styles from '../../ui/list.module.css'
import { Loading } from '../../ui/loading.tsx'
import buttons from './recycled-projects.module.css'

// Deleted runs go with their project and come back with it.
const refresh = ['projects/recycled', 'projects/list', 'runs/list', 'runs/recycled'] as const

/** Deleted projects: bring back, or delete for good. */
export function RecycledProjects() {
  const { t } = useTranslation('projects')
  const query = useCall('projects/recycled', {}, { quiet: true })
  const [asked, setAsked] = useState<RecycledProject | 'all' | null>(null)
  const purge = useAction('projects/purge', {
    refresh,
    onDone: ({ purged }) => toast.success(t('rubbish.purged', { count: purged })),
  })
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const { projects, recycleDays } = query.data
  if (projects.length === 0)
    return (
      <EmptyState
        icon={<RestOutlined aria-hidden />}
        title={t('rubbish.empty')}
        text={t('rubbish.emptyText', { count: recycleDays })}
      />
    )
  const isAll = asked === 'all'
  return (
    <>
      <div className={styles.tools}>
        <p className={styles.soft}>{t('rubbish.text', { count: recycleDays })}</p>
        <span className={styles.spring} />
        <Button danger onClick={() => setAsked('all')}>
          {t('rubbish.clear')}
        </Button>
      </div>
      <Table projects={projects} onPurge={setAsked} />
      <ConfirmRemove
        open={asked !== null}
        title={
          isAll
            ? t('rubbish.clearAsk', { count: projects.length })
            : t('rubbish.purgeAsk', { name: asked?.name ?? '' })
        }
        text={t('rubbish.purgeText')}
        confirmLabel={t('rubbish.purge')}
        onConfirm={() => purge.mutateAsync({ ids: isAll || asked === null ? null : [asked.id] })}
        onClose={() => setAsked(null)}
      />
    </>
  )
}

type TableProps = { projects: readonly RecycledProject[]; onPurge: (project: RecycledProject) => void }

function Table({ projects, onPurge }: TableProps) {
  const { t } = useTranslation('projects')
  return (
    <table className={styles.list}>
      <thead>
        <tr>
          <th>{t('rubbish.project')}</th>
          <th className={styles.wide}>{t('rubbish.deleted')}</th>
          <th className={styles.wide}>{t('rubbish.clears')}</th>
          <th>
            <span className="nl-hidden">{t('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {projects.map((project) => (
          <Row key={project.id} project={project} onPurge={() => onPurge(project)} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ project, onPurge }: { project: RecycledProject; onPurge: () => void }) {
  const { t } = useTranslation(['projects', 'tasks'])
  const { id, name, task, recycledAt, clearsAt } = project
  const restore = useAction('projects/restore', {
    refresh,
    onDone: (restored) => toast.success(t('restored', { name: restored.name })),
  })
  const clears = formatDate(clearsAt, 'day')
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        <small>{t(`tasks:name.${task}`)}</small>
        <small className={styles.narrow}>{t('rubbish.clearsOn', { date: clears })}</small>
      </td>
      <td className={styles.wide}>{formatDate(recycledAt, 'day')}</td>
      <td className={styles.wide}>{clears}</td>
      <td className={styles.actions}>
        <div className={buttons.buttons}>
          <Button type="link" loading={restore.isPending} onClick={() => restore.mutate({ id })}>
            {t('rubbish.restore')}
          </Button>
          <Button type="text" danger onClick={onPurge}>
            {t('rubbish.purge')}
          </Button>
        </div>
      </td>
    </tr>
  )
}

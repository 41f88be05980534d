import { DatabaseOutlined, SearchOutlined } from '@ant-design/icons'
import type { ProjectData } from '@neuroloom/contract/datasets'
import { Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatBytes, formatDate, formatNumber } from '../../lib/format.ts'
import { usePages } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTyped } from '../../ui/hooks/use-typed.ts'
import styles from '../../ui/list.module.css'
import { Loading } from '../../ui/loading.tsx'
import { MoreButton } from '../../ui/more-button.tsx'

/** The data that projects use: each data set once, with its folder and all its projects. */
export function ProjectDataList() {
  const { t } = useTranslation('datasets')
  const search = useTyped()
  const query = usePages('datasets/inProjects', { search: search.settled })
  const data = query.data?.pages.flatMap((page) => page.data) ?? []
  if (query.isPending) return <Loading shape="rows" count={4} />
  if (query.isError && data.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (data.length === 0 && search.text === '')
    return (
      <EmptyState
        icon={<DatabaseOutlined aria-hidden />}
        title={t('inProjects.empty')}
        text={t('inProjects.emptyText')}
      />
    )
  return (
    <>
      <div className={styles.tools}>
        <Input
          allowClear
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('inProjects.search')}
          aria-label={t('inProjects.search')}
          maxLength={200}
          value={search.text}
          onChange={(event) => search.setText(event.target.value)}
        />
      </div>
      {data.length === 0 ? (
        <EmptyState title={t('inProjects.none', { text: search.text })} text={t('inProjects.noneText')} />
      ) : (
        <Table data={data} />
      )}
      <MoreButton query={query} />
    </>
  )
}

function Table({ data }: { data: readonly ProjectData[] }) {
  const { t } = useTranslation('datasets')
  return (
    <table className={styles.list}>
      <thead>
        <tr>
          <th>{t('name')}</th>
          <th>{t('inProjects.projects')}</th>
          <th className={styles.wide}>{t('inProjects.folder')}</th>
          <th className={styles.wide}>{t('inProjects.since')}</th>
        </tr>
      </thead>
      <tbody>
        {data.map((one) => (
          <Row key={one.id} data={one} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ data }: { data: ProjectData }) {
  const { t } = useTranslation(['datasets', 'tasks'])
  const { name, task, items, folder, projects, createdAt } = data
  const count = t('inProjects.items', { count: items, shown: formatNumber(items) })
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        <small>{task === null ? count : `${t(`tasks:name.${task}`)} · ${count}`}</small>
      </td>
      <td>
        {projects.map((project) => (
          <div key={project.id}>
            <Link to={`/projectDetail?id=${encodeURIComponent(project.id)}`}>{project.name}</Link>
          </div>
        ))}
      </td>
      <td className={styles.wide}>
        {folder === null ? (
          t('inProjects.folderGone')
        ) : (
          <>
            <Link to={`/cloudFile?id=${encodeURIComponent(folder.id)}`}>{folder.name}</Link>
            <small>{formatBytes(folder.sizeBytes)}</small>
          </>
        )}
      </td>
      <td className={styles.wide}>{formatDate(createdAt, 'day')}</td>
    </tr>
  )
}

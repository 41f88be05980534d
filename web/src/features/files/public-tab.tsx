import { GlobalOutlined } from '@ant-design/icons'
import { roles } from '@neuroloom/contract/accounts/roles'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatBytes, formatDate, formatNumber } from '../../lib/format.ts'
import { useAction, usePages } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import styles from '../../ui/list.module.css'
import { Loading } from '../../ui/loading.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { FilePicture } from './file-picture.tsx'
import { folderAddress } from './use-open-entry.ts'

/** Data sets that the administrators opened to every member. */
export function PublicTab() {
  const { t } = useTranslation('files')
  const query = usePages('files/public', {})
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  const mayClose = useUser()?.role === roles.administrator
  const close = useAction('files/publish', {
    refresh: ['files/public', 'files/list'],
    onDone: () => toast.success(t('public.closed')),
  })
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError && entries.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (entries.length === 0)
    return (
      <EmptyState
        icon={<GlobalOutlined aria-hidden />}
        title={t('public.empty')}
        text={t('public.emptyText')}
      />
    )
  return (
    <>
      <table className={styles.list}>
        <thead>
          <tr>
            <th>{t('name')}</th>
            <th className={styles.wide}>{t('size')}</th>
            <th className={styles.wide}>{t('properties.owner')}</th>
            <th className={styles.wide}>{t('modified')}</th>
            {mayClose && (
              <th>
                <span className="nl-hidden">{t('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {entries.map(({ entry, owner, isOwn }) => (
            <tr key={entry.id}>
              <td>
                <span className={styles.entry}>
                  <FilePicture entry={entry} size="small" />
                  <span>
                    <Link to={folderAddress(entry.id)}>{entry.name}</Link>
                    <small>
                      {t('fileCount', { count: entry.fileCount, shown: formatNumber(entry.fileCount) })}
                    </small>
                  </span>
                </span>
              </td>
              <td className={styles.wide}>{formatBytes(entry.sizeBytes)}</td>
              <td className={styles.wide}>{owner}</td>
              <td className={styles.wide}>{formatDate(entry.modifiedAt, 'day')}</td>
              {mayClose && (
                <td className={styles.actions}>
                  {isOwn && (
                    <Button
                      danger
                      type="text"
                      onClick={() => close.mutate({ id: entry.id, isPublic: false })}
                    >
                      {t('public.close')}
                    </Button>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <MoreButton query={query} />
    </>
  )
}

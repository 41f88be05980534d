import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import list from '../../../ui/list.module.css'
import { Loading } from '../../../ui/loading.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import styles from '../custom.module.css'

/** Names, sizes and findings of an own upload. */
export function CodeEntries({ id }: { id: string }) {
  const { t } = useTranslation('code')
  const { data, error, refetch } = useCall('codeUpload/entries', { id }, { quiet: true })
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading count={3} />
  return (
    <ScrollRegion name={t('entries.open')} className={styles.region}>
      <table className={list.list} aria-label={t('entries.open')}>
        <thead>
          <tr>
            <th>{t('entries.path')}</th>
            <th>{t('entries.size')}</th>
            <th>{t('fact.findings')}</th>
          </tr>
        </thead>
        <tbody>
          {data.entries.map(({ path, isFolder, sizeBytes, findings }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an archive may hold one name twice, and its order stays.
            <tr key={index}>
              <td>{path}</td>
              <td>{isFolder ? '' : formatBytes(sizeBytes)}</td>
              <td>{findings.map((finding) => t(`finding.${finding}`)).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

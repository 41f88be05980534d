import { DownloadOutlined, PaperClipOutlined } from '@ant-design/icons'
import type { MarketFile } from '@neuroloom/contract/market/demand'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { download } from '../../lib/download.ts'
import { formatBytes } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import styles from './market.module.css'

/** Files of a demand or a delivery, each with its download. */
export function FileList({ files, label }: { files: readonly MarketFile[]; label: string }) {
  const { t } = useTranslation('market')
  const open = useAction('market/file', { refresh: [], onDone: (link) => void download(link) })
  if (files.length === 0) return null
  return (
    <ul className={styles.files} aria-label={label}>
      {files.map(({ id, name, sizeBytes }) => (
        <li key={id} className={styles.line}>
          <PaperClipOutlined aria-hidden />
          <span>{name}</span>
          <span className={styles.help}>{formatBytes(sizeBytes)}</span>
          <Button
            type="text"
            size="small"
            icon={<DownloadOutlined aria-hidden />}
            aria-label={t('file.download', { name })}
            loading={open.isPending && open.variables.id === id}
            onClick={() => open.mutate({ id })}
          />
        </li>
      ))}
    </ul>
  )
}

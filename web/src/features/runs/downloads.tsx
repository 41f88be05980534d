import { DownloadOutlined } from '@ant-design/icons'
import type { Run } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { download } from '../../lib/download.ts'
import { formatBytes } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import styles from './run.module.css'

/** What leaves the product: the trained network, predictions, masks. */
export function Downloads({ run }: { run: Pick<Run, 'id' | 'task' | 'artifacts'> }) {
  const { t } = useTranslation('runs')
  const fetchLink = useAction('runs/download', { refresh: [], onDone: (link) => void download(link) })
  return (
    <ul className={styles.downloads}>
      {run.artifacts.map(({ kind, sizeBytes }) => (
        <li key={kind}>
          <Button
            icon={<DownloadOutlined />}
            loading={fetchLink.isPending && fetchLink.variables?.kind === kind}
            onClick={() => fetchLink.mutate({ id: run.id, kind })}
          >
            {t(`artifact.${kind}.name`)}
          </Button>
          <span className={styles.downloadText}>
            {t(`artifact.${kind}.about`, { context: run.task })} · {formatBytes(sizeBytes)}
          </span>
        </li>
      ))}
    </ul>
  )
}

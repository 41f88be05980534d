import { DownloadOutlined } from '@ant-design/icons'
import type { Run } from '@neuroloom/contract/runs'
import { isLearned } from '@neuroloom/contract/task'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { download, saveBlob } from '../../lib/download.ts'
import { formatBytes } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import styles from './run.module.css'

export type DownloadsProps = { run: Pick<Run, 'id' | 'task' | 'artifacts'> }

/** A button a file; the folder that needs nothing else comes first. */
export function DownloadList({ run }: DownloadsProps) {
  const { t } = useTranslation(['runs', 'results'])
  const fetchLink = useAction('runs/download', { refresh: [], onDone: (link) => void download(link) })
  // Programs and examples read pictures, or volumes of one channel.
  const has = (wanted: string) => isLearned(run.task) && run.artifacts.some(({ kind }) => kind === wanted)
  return (
    <ul className={styles.downloads}>
      {has('onnx') ? <Example run={run} /> : null}
      {run.artifacts.map(({ kind, sizeBytes }) => (
        <li key={kind}>
          <Button
            icon={<DownloadOutlined />}
            loading={fetchLink.isPending && fetchLink.variables?.kind === kind}
            onClick={() => fetchLink.mutate({ id: run.id, kind })}
          >
            {t(`results:artifact.${kind}.name`)}
          </Button>
          <span className={styles.downloadText}>
            {t(`results:artifact.${kind}.about`, { context: run.task })} · {formatBytes(sizeBytes)}
          </span>
        </li>
      ))}
      {has('weights') ? <Program run={run} /> : null}
    </ul>
  )
}

/** Leads, with the weights, from a file to the answer. */
function Program({ run }: DownloadsProps) {
  const { t } = useTranslation(['runs', 'results'])
  const save = useAction('runs/program', {
    refresh: [],
    onDone: ({ name, text }) => saveBlob(name, new Blob([text], { type: 'text/x-python' })),
  })
  return (
    <li>
      <Button
        icon={<DownloadOutlined />}
        loading={save.isPending}
        onClick={() => save.mutate({ id: run.id })}
      >
        {t('results:artifact.program.name')}
      </Button>
      <span className={styles.downloadText}>{t('results:artifact.program.about')}</span>
    </li>
  )
}

/** Made when it is asked for. */
function Example({ run }: DownloadsProps) {
  const { t } = useTranslation(['runs', 'results'])
  const fetchLink = useAction('runs/example', { refresh: [], onDone: (link) => void download(link) })
  return (
    <li>
      <Button
        icon={<DownloadOutlined />}
        loading={fetchLink.isPending}
        onClick={() => fetchLink.mutate({ id: run.id })}
      >
        {t('results:artifact.example.name')}
      </Button>
      <span className={styles.downloadText}>
        <strong>{t('results:artifact.unsure')}</strong>{' '}
        {t('results:artifact.example.about', { context: run.task })}
      </span>
    </li>
  )
}

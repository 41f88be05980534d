import { DownloadOutlined } from '@ant-design/icons'
import type { Run } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { download } from '../../lib/download.ts'
import { formatBytes, formatDate } from '../../lib/format.ts'
import { formatMetric } from '../../lib/metric.ts'
import { useAction } from '../../lib/query.ts'
import { useNetworkOf } from './network-of.ts'
import { headlineOf } from './results/metrics.ts'
import styles from './run-files.module.css'
import { nameOf } from './run-list.tsx'

type Artifact = Run['artifacts'][number]
type Props = {
  runs: readonly Run[]
  kinds: readonly Artifact['kind'][]
  networkName: (network: string) => string
}

/** What trainings and tests left to keep: each file with its size, its digest, and the way to save it. */
export function RunFiles({ runs, kinds, networkName }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  const networkOf = useNetworkOf(networkName)
  return (
    <ul className={styles.runs}>
      {runs.map((run) => {
        const headline = headlineOf(run)
        return (
          <li key={run.id} className={styles.run}>
            <div className={styles.head}>
              <Link to={`/run?id=${run.id}`}>{nameOf(run, t)}</Link>
              <span>
                {[networkOf(run), run.datasetName, formatDate(run.createdAt, 'day')]
                  .filter(Boolean)
                  .join(' · ')}
                {headline
                  ? ` · ${t(`metric.${headline.name}.name`)} ${formatMetric(headline.name, headline.value)}`
                  : null}
              </span>
            </div>
            <ul className={styles.files}>
              {run.artifacts
                .filter(({ kind }) => kinds.includes(kind))
                .map((artifact) => (
                  <File key={artifact.kind} run={run} artifact={artifact} />
                ))}
            </ul>
          </li>
        )
      })}
    </ul>
  )
}

function File({ run, artifact: { kind, sizeBytes, sha256 } }: { run: Run; artifact: Artifact }) {
  const { t } = useTranslation(['runs', 'results'])
  const fetchLink = useAction('runs/download', { refresh: [], onDone: (link) => void download(link) })
  const name = t(`results:artifact.${kind}.name`)
  return (
    <li>
      <Button
        icon={<DownloadOutlined aria-hidden />}
        loading={fetchLink.isPending}
        aria-label={t('files.save', { name, run: nameOf(run, t) })}
        onClick={() => fetchLink.mutate({ id: run.id, kind })}
      >
        {name}
      </Button>
      <span>{formatBytes(sizeBytes)}</span>
      <span className={styles.digest}>
        SHA-256 <code>{sha256}</code>
      </span>
    </li>
  )
}

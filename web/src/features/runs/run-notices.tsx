import type { Run } from '@neuroloom/contract/runs'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { textParams } from '../../lib/text-params.ts'
import type { Warning } from './apply-event.ts'
import { BegunWith } from './begun-with.tsx'
import styles from './run.module.css'

/** What a reader must know about this run before its figures: failure, stop, interruption, warnings. */
export function RunNotices({ run, warnings }: { run: Run; warnings: readonly Warning[] }) {
  const { t } = useTranslation(['runs', 'results'])
  return (
    <div className={styles.notices}>
      {run.state === 'failed' ? <Failure run={run} /> : null}
      {run.state === 'stopped' ? <Alert type="info" showIcon title={t(`run.stopped.${run.kind}`)} /> : null}
      {run.resumed > 0 ? (
        <Alert type="info" showIcon title={t('run.resumed', { count: run.resumed })} />
      ) : null}
      {run.startFrom ? <BegunWith from={run.startFrom} /> : null}
      {warnings.map(({ code, params }) => (
        <Alert
          key={code}
          type="warning"
          showIcon
          title={t(`results:runWarning.${code}`, textParams(params))}
        />
      ))}
    </div>
  )
}

/** One sentence on what happened and one on what to do. */
function Failure({ run }: { run: Run }) {
  const { t } = useTranslation(['runs', 'results'])
  const { code, params } = run.error ?? { code: 'internal' as const, params: {} }
  return (
    <Alert
      type="error"
      showIcon
      title={t(`results:runError.${code}.what`, textParams(params))}
      description={t(`results:runError.${code}.todo`, { ...textParams(params), context: run.kind })}
    />
  )
}

import type { FlowDetail } from '@neuroloom/contract/flow/calls'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { ProblemList } from '../settle/problem-list.tsx'
import styles from './study.module.css'

/** Why nothing came of it, and what can be done. */
export function FailedStudy({ study, onAnew }: { study: FlowDetail; onAnew?: () => void }) {
  const { t } = useTranslation('flow')
  const retry = useAction('flow/retry', { refresh: ['flow/study', 'flow/studies'] })
  const { id, failure, problems, look } = study
  return (
    <>
      <Alert
        type="error"
        showIcon
        title={t('failure.title')}
        description={failure && t(`failure.${failure}`)}
      />
      <ProblemList problems={problems.length > 0 ? problems : (look?.problems ?? [])} />
      <div className={styles.actions}>
        {onAnew && (
          <Button type="primary" onClick={onAnew}>
            {t('settle.anew')}
          </Button>
        )}
        <Button loading={retry.isPending} onClick={() => retry.mutate({ id })}>
          {t('retry')}
        </Button>
      </div>
    </>
  )
}

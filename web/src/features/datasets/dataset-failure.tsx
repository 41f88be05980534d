import type { Dataset } from '@neuroloom/contract/datasets'
import type { Task } from '@neuroloom/contract/task'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import { ProblemsDrawer } from './dataset-drawers.tsx'
import styles from './dataset-failure.module.css'
import { FolderLayouts } from './folder-layouts.tsx'

/** Why nothing could be made of a folder, what to do, and what a right folder looks like. */
export function DatasetFailure({ dataset, task }: { dataset: Dataset; task: Task | null }) {
  const { t } = useTranslation('datasets')
  const [showsProblems, setShowsProblems] = useState(false)
  const failure = dataset.failure ?? 'internal'
  const { problemCount } = dataset
  return (
    <div className={styles.failure}>
      <Alert
        type="error"
        showIcon
        title={t(`failure.${failure}`)}
        description={
          <>
            <p>{t(`failureRemedy.${failure}`)}</p>
            <div className={styles.actions}>
              {problemCount > 0 && (
                <Button size="small" onClick={() => setShowsProblems(true)}>
                  {t('whichFiles', { count: problemCount, shown: formatNumber(problemCount) })}
                </Button>
              )}
              {dataset.owner === '' && <Recheck datasetId={dataset.id} />}
            </div>
          </>
        }
      />
      {failure !== 'internal' && <FolderLayouts task={task} />}
      <ProblemsDrawer dataset={dataset} open={showsProblems} onClose={() => setShowsProblems(false)} />
    </div>
  )
}

/** Whoever has put the folder right need not add it anew. */
function Recheck({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation('datasets')
  const recheck = useAction('datasets/recheck', { refresh: ['datasets/list', 'datasets/detail'] })
  return (
    <Button
      size="small"
      title={t('recheckText')}
      loading={recheck.isPending}
      onClick={() => recheck.mutate({ id: datasetId })}
    >
      {t('recheck')}
    </Button>
  )
}

import type { Access } from '@neuroloom/contract/files'
import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { SourcePicker } from '../features/files/source-picker.tsx'
import { useNetworkName } from '../features/networks/network-name.ts'
import { PredictPanel } from '../features/runs/predict/predict-panel.tsx'
import { RunList } from '../features/runs/run-list.tsx'
import { Panel } from '../ui/page.tsx'
import styles from './run.module.css'

/** On the page of a training: applying it to pictures of the cloud, and what it was applied to so far. */
export function PredictStep({ run, access }: { run: Run; access: Access }) {
  const { t } = useTranslation('predict')
  const networkName = useNetworkName()
  return (
    <Panel title={t('title')}>
      {access === 'view' ? null : (
        <PredictPanel run={run} picker={(picker) => <SourcePicker {...picker} />} />
      )}
      <h3 className={styles.past}>{t('past')}</h3>
      <RunList
        projectId={run.projectId}
        parentId={run.id}
        kind="predict"
        mayRemove={access === 'own'}
        networkName={networkName}
        empty={<p className={styles.quiet}>{t('none')}</p>}
      />
    </Panel>
  )
}

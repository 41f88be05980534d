import { AppstoreOutlined } from '@ant-design/icons'
import type { Access } from '@neuroloom/contract/files'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { ownToolName } from '@neuroloom/contract/toolbox/toolbox'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { SourcePicker } from '../features/files/source-picker.tsx'
import { useNetworkName } from '../features/networks/network-name.ts'
import { PredictPanel } from '../features/runs/predict/predict-panel.tsx'
import { RunList } from '../features/runs/run-list.tsx'
import { MakeDialog } from '../features/toolbox/own/make-dialog.tsx'
import { toolAddress } from '../features/toolbox/tool-address.ts'
import { useCall } from '../lib/query.ts'
import { Panel } from '../ui/page.tsx'
import styles from './run.module.css'

/** On the page of a training: applying it to pictures of the cloud, and what it was applied to so far. */
export function PredictStep({ run, access }: { run: LearnedRun; access: Access }) {
  const { t } = useTranslation('predict')
  const networkName = useNetworkName()
  return (
    <Panel title={t('title')}>
      {access === 'view' ? null : (
        <PredictPanel run={run} picker={(picker) => <SourcePicker {...picker} />} />
      )}
      {access === 'own' && <MakeTool run={run} />}
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

/** The network with a form of its own in the toolbox, for its owner and for whoever is given it. */
function MakeTool({ run }: { run: LearnedRun }) {
  const { t } = useTranslation('own-tools')
  const navigate = useNavigate()
  const [isMaking, setMaking] = useState(false)
  const { data } = useCall('runs/recipe', { id: run.id }, { quiet: true })
  return (
    <p className={styles.makeTool}>
      {t('make.invite')}
      <Button icon={<AppstoreOutlined aria-hidden />} disabled={!data} onClick={() => setMaking(true)}>
        {t('make.begin')}
      </Button>
      {isMaking && data && (
        <MakeDialog
          source={{ of: 'network', sourceId: run.id, name: '', isPrepared: data.recipe !== null }}
          onDone={({ id }) => void navigate(toolAddress(ownToolName(id)))}
          onClose={() => setMaking(false)}
        />
      )}
    </p>
  )
}

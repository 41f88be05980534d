import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate } from 'react-router'
import { SourcePicker } from '../../features/files/source-picker.tsx'
import styles from '../../features/toolbox/toolbox.module.css'
import { useInputs } from '../../features/toolbox/use-inputs.ts'
import { Panel } from '../../ui/page.tsx'

const addressOf = (folder: string) => `/cloudPrepare?folder=${encodeURIComponent(folder)}`

/** Which folder; then it is the cloud's own page, which keeps in the history what was begun there. */
export function Prepare() {
  const { t } = useTranslation('toolbox')
  const navigate = useNavigate()
  const { folder } = useInputs()
  const [isChoosing, setChoosing] = useState(false)
  if (folder) return <Navigate to={addressOf(folder)} replace />
  return (
    <Panel>
      <div className={styles.steps}>
        <p>{t('prepare.lead')}</p>
        <Button size="large" type="primary" onClick={() => setChoosing(true)}>
          {t('chooseFolder')}
        </Button>
      </div>
      <SourcePicker
        open={isChoosing}
        busy={false}
        isOnlyFolder
        title={t('prepare.what')}
        okText={t('takeFolder')}
        onPick={(chosen) => 'folderId' in chosen && void navigate(addressOf(chosen.folderId))}
        onClose={() => setChoosing(false)}
      />
    </Panel>
  )
}

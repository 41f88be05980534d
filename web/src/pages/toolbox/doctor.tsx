import { toolbox as limits } from '@neuroloom/contract/limits'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SourcePicker } from '../../features/files/source-picker.tsx'
import { Doctor } from '../../features/recipes/doctor/doctor.tsx'
import { Works } from '../../features/recipes/works.tsx'
import styles from '../../features/toolbox/toolbox.module.css'
import { useInputs } from '../../features/toolbox/use-inputs.ts'
import { useAction } from '../../lib/query.ts'
import { Panel } from '../../ui/page.tsx'

/** Which folder of images and masks; then what does not fit in it. */
export function DoctorTool() {
  const { t } = useTranslation('toolbox')
  const inputs = useInputs()
  const [folder, setFolder] = useState(inputs.folder ? { id: inputs.folder, name: inputs.name ?? '' } : null)
  const [isChoosing, setChoosing] = useState(false)
  const record = useAction('toolbox/record', { quiet: true, refresh: ['toolbox/history'] })
  return (
    <div className={styles.stack}>
      <Panel>
        <div className={styles.steps}>
          <p>{t('doctor.lead')}</p>
          <Button size="large" {...(folder ? {} : { type: 'primary' })} onClick={() => setChoosing(true)}>
            {t(folder ? 'chooseOther' : 'chooseFolder')}
          </Button>
        </div>
      </Panel>
      <Works which="open" />
      {folder && (
        <Doctor
          key={folder.id}
          folderId={folder.id}
          name={folder.name}
          onStarted={({ id }) =>
            record.mutate({
              tool: 'doctor',
              title: folder.name.slice(0, limits.titleLength),
              inputs: { folder: folder.id, name: folder.name },
              jobId: id,
            })
          }
        />
      )}
      <Works which="ended" />
      <SourcePicker
        open={isChoosing}
        busy={false}
        isOnlyFolder
        title={t('doctor.what')}
        okText={t('takeFolder')}
        onPick={(_, [entry]) => {
          setChoosing(false)
          if (entry) setFolder(entry)
        }}
        onClose={() => setChoosing(false)}
      />
    </div>
  )
}

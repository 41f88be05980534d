import { Button, Modal, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './same-name-dialog.module.css'
import type { JobView, SameName } from './upload-job.ts'
import { uploads } from './uploads.ts'

const choices: SameName[] = ['skip', 'overwrite', 'rename']
const shownNames = 5

/** Asks once, for all files whose names exist already. Leaving it sends nothing. */
export function SameNameDialog({ job }: { job: JobView }) {
  const { t } = useTranslation('files')
  const [choice, setChoice] = useState<SameName>('skip')
  const { conflicts } = job
  const hidden = conflicts.length - shownNames
  const leave = () => uploads.answer(job.key, null)
  return (
    <Modal
      open
      centered
      width={520}
      title={t('sameName.title', { count: conflicts.length })}
      onCancel={leave}
      footer={[
        <Button key="leave" onClick={leave}>
          {t('sameName.leave')}
        </Button>,
        <Button key="go" type="primary" onClick={() => uploads.answer(job.key, choice)}>
          {t('sameName.go')}
        </Button>,
      ]}
    >
      <ul className={styles.conflicts}>
        {conflicts.slice(0, shownNames).map((path) => (
          <li key={path}>{path}</li>
        ))}
        {hidden > 0 && <li>{t('sameName.more', { count: hidden })}</li>}
      </ul>
      <Radio.Group
        value={choice}
        onChange={(event) => setChoice(event.target.value)}
        aria-label={t('sameName.title', { count: conflicts.length })}
      >
        <div className={styles.choices}>
          {choices.map((name) => (
            <Radio key={name} value={name}>
              <strong>{t(`sameName.${name}`)}</strong>
              <span>{t(`sameName.${name}Text`)}</span>
            </Radio>
          ))}
        </div>
      </Radio.Group>
    </Modal>
  )
}

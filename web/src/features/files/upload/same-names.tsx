import { Button, Modal, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './same-name-dialog.module.css'

type SameName = 'skip' | 'overwrite' | 'rename'

const choices: SameName[] = ['skip', 'overwrite', 'rename']
const shownNames = 5

type SameNamesProps = {
  names: readonly string[]
  busy: boolean
  onAnswer: (choice: SameName) => void
  onClose: () => void
}

/** Asks what becomes of moved or copied entries whose names are taken. Leaving it changes nothing. */
export function SameNames({ names, busy, onAnswer, onClose }: SameNamesProps) {
  const { t } = useTranslation(['files', 'common'])
  const [choice, setChoice] = useState<SameName>('skip')
  const hidden = names.length - shownNames
  const title = t('sameEntry.title', { count: names.length })
  return (
    <Modal
      open
      centered
      width={520}
      title={title}
      onCancel={onClose}
      footer={[
        <Button key="leave" onClick={onClose}>
          {t('common:cancel')}
        </Button>,
        <Button key="go" type="primary" loading={busy} onClick={() => onAnswer(choice)}>
          {t('sameName.go')}
        </Button>,
      ]}
    >
      <ul className={styles.conflicts}>
        {names.slice(0, shownNames).map((name) => (
          <li key={name}>{name}</li>
        ))}
        {hidden > 0 && <li>{t('sameName.more', { count: hidden })}</li>}
      </ul>
      <Radio.Group value={choice} onChange={(event) => setChoice(event.target.value)} aria-label={title}>
        <div className={styles.choices}>
          {choices.map((name) => (
            <Radio key={name} value={name}>
              <strong>{t(`sameName.${name}`)}</strong>
              <span>{t(`sameEntry.${name}Text`)}</span>
            </Radio>
          ))}
        </div>
      </Radio.Group>
    </Modal>
  )
}

import { Button, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import styles from './deidentify.module.css'
import { deidentification, type RefusedFile } from './state.ts'

const shownFiles = 100

/** Files from which nothing could be taken: left out, or sent as they are by the member's own word. */
export function RefusedDialog({ files }: { files: RefusedFile[] }) {
  const { t } = useTranslation('deidentify')
  const [isSure, setIsSure] = useState(false)
  const more = files.length - shownFiles
  const leaveOut = () => deidentification.answer('leaveOut')
  return (
    <Modal
      open
      centered
      width={620}
      title={t('refused.title', { count: files.length, shown: formatNumber(files.length) })}
      onCancel={leaveOut}
      closable={false}
      mask={{ closable: false }}
      footer={
        <div className={styles.footer}>
          <Button danger disabled={!isSure} onClick={() => deidentification.answer('send')}>
            {t('refused.send')}
          </Button>
          <Button type="primary" onClick={leaveOut}>
            {t('refused.leaveOut')}
          </Button>
        </div>
      }
    >
      <p className={styles.text}>{t('refused.text')}</p>
      <ul className={styles.refused}>
        {files.slice(0, shownFiles).map(({ path, reason }) => (
          <li key={path}>
            <strong>{path}</strong>
            <span>{t(`reason.${reason}`)}</span>
          </li>
        ))}
        {more > 0 && <li>{t('more', { count: more, shown: formatNumber(more) })}</li>}
      </ul>
      <Checkbox checked={isSure} onChange={({ target }) => setIsSure(target.checked)}>
        {t('refused.sure')}
      </Checkbox>
    </Modal>
  )
}

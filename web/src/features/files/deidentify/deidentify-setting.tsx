import { SafetyCertificateOutlined } from '@ant-design/icons'
import { Modal, Switch } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './deidentify.module.css'
import { deidentification, useDeidentification } from './state.ts'

/** On by default; switching it off takes a second word, and lasts until the page is left. */
export function DeidentifySetting() {
  const { t } = useTranslation('deidentify')
  const { isOn } = useDeidentification()
  const [isAsking, setIsAsking] = useState(false)
  const id = useId()
  return (
    <div className={styles.setting} data-off={!isOn}>
      <SafetyCertificateOutlined aria-hidden />
      <label htmlFor={id}>{t(isOn ? 'setting.on' : 'setting.off')}</label>
      <Switch
        id={id}
        size="small"
        checked={isOn}
        onChange={(next) => (next ? deidentification.turn(true) : setIsAsking(true))}
      />
      <Modal
        open={isAsking}
        centered
        width={480}
        title={t('off.title')}
        okText={t('off.confirm')}
        okButtonProps={{ danger: true }}
        cancelText={t('off.keep')}
        onOk={() => {
          deidentification.turn(false)
          setIsAsking(false)
        }}
        onCancel={() => setIsAsking(false)}
      >
        <p className={styles.text}>{t('off.text')}</p>
        <p className={styles.text}>{t('off.until')}</p>
      </Modal>
    </div>
  )
}

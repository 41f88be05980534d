import { SafetyCertificateOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import styles from './deidentify.module.css'
import { RecordDialog } from './record-dialog.tsx'

/** The way to a file's record; nothing where there is none. */
export function RecordLink({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('deidentify')
  const [isOpen, setIsOpen] = useState(false)
  const query = useCall('files/deidentification', { id }, { quiet: true })
  if (!query.data?.record) return null
  return (
    <>
      <Button
        className={styles.open ?? ''}
        icon={<SafetyCertificateOutlined aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t('record.open')}
      </Button>
      {isOpen && <RecordDialog id={id} name={name} onClose={() => setIsOpen(false)} />}
    </>
  )
}

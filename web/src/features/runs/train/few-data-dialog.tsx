import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './train-panel.module.css'

type Props = {
  open: boolean
  /** The sentence that says which classes have how few. */
  text: string
  isStarting: boolean
  onSupplement: () => void
  onForce: () => void
  onClose: () => void
}

/** Few data: supplement them, or train anyway on the member's word. */
export function FewDataDialog({ open, text, isStarting, onSupplement, onForce, onClose }: Props) {
  const { t } = useTranslation('runs')
  return (
    <Modal
      open={open}
      title={t('fewData.title')}
      onCancel={onClose}
      footer={
        <>
          <Button loading={isStarting} onClick={onForce}>
            {t('fewData.force')}
          </Button>
          <Button type="primary" onClick={onSupplement}>
            {t('fewData.supplement')}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <p>{text}</p>
        <p>{t('fewData.meaning')}</p>
      </div>
    </Modal>
  )
}

import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './train-panel.module.css'

type Props = {
  open: boolean
  title: string
  /** The sentence that says which classes have how few, or what else asks for a word. */
  text: string
  meaning: string | null
  isStarting: boolean
  onSupplement: () => void
  onForce: () => void
  onClose: () => void
}

/** Few data: supplement them, or train anyway on the member's word. */
export function FewDataDialog({
  open,
  title,
  text,
  meaning,
  isStarting,
  onSupplement,
  onForce,
  onClose,
}: Props) {
  const { t } = useTranslation('runs')
  return (
    <Modal
      open={open}
      title={title}
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
        {meaning ? <p>{meaning}</p> : null}
      </div>
    </Modal>
  )
}

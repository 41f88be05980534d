import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'

type OwnCancelDialogProps = {
  open: boolean
  text: string
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** "Cancel" alone could mean either here. */
export function OwnCancelDialog({ open, text, isBusy, onConfirm, onClose }: OwnCancelDialogProps) {
  const { t } = useTranslation('membership')
  return (
    <Modal
      open={open}
      title={t('orders.cancelTitle')}
      okText={t('orders.cancelConfirm')}
      okButtonProps={{ danger: true }}
      cancelText={t('orders.keep')}
      confirmLoading={isBusy}
      onOk={onConfirm}
      onCancel={onClose}
      width={460}
      centered
      destroyOnHidden
    >
      {text}
    </Modal>
  )
}

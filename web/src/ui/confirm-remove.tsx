/** Asks before something is removed. Workspace only (antd); what is removed and what is said is the caller's. */
import { Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

type ConfirmRemoveProps = {
  open: boolean
  title: string
  /** What goes with it and how long it can be brought back. */
  text?: ReactNode
  /** Default: "Delete". */
  confirmLabel?: string
  /** The dialog stays, busy, until the promise settles. */
  onConfirm: () => unknown
  onClose: () => void
}

export function ConfirmRemove({ open, title, text, confirmLabel, onConfirm, onClose }: ConfirmRemoveProps) {
  const { t } = useTranslation('common')
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch {
      // The call has told why; the dialog stays for another try.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open={open}
      title={title}
      okText={confirmLabel ?? t('remove')}
      okButtonProps={{ danger: true }}
      cancelText={t('cancel')}
      confirmLoading={busy}
      onOk={confirm}
      onCancel={onClose}
      width={460}
      centered
      destroyOnHidden
    >
      {text}
    </Modal>
  )
}

/** Asks for a decision and saves it. Workspace only (antd); what is decided is the caller's. */
import { Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

type Props = {
  title: string
  /** Default: "Save". */
  saveLabel?: string
  isDanger?: boolean
  /** Nothing was changed, or it cannot be like this. */
  isDisabled: boolean
  width?: number
  /** The dialog stays, busy, until the promise settles. */
  onSave: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

export function SaveDialog({
  title,
  saveLabel,
  isDanger = false,
  isDisabled,
  width = 460,
  onSave,
  onClose,
  children,
}: Props) {
  const { t } = useTranslation('common')
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    // A refusal is told by the call; the dialog stays for another choice.
    const isDone = await onSave().then(
      () => true,
      () => false,
    )
    setBusy(false)
    if (isDone) onClose()
  }
  return (
    <Modal
      open
      centered
      width={width}
      title={title}
      okText={saveLabel ?? t('save')}
      okButtonProps={{ disabled: isDisabled, danger: isDanger, loading: isBusy }}
      cancelText={t('cancel')}
      onOk={() => void save()}
      onCancel={onClose}
    >
      {children}
    </Modal>
  )
}

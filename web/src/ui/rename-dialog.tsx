/** Asks for another name of one thing; knows nothing of what it is. */
import { Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { firstField } from './first-field.ts'

type Props = {
  title: string
  /** What the field is called. */
  label: string
  name: string
  maxLength: number
  isBusy: boolean
  onRename: (name: string) => void
  onClose: () => void
}

export function RenameDialog({ title, label, name, maxLength, isBusy, onRename, onClose }: Props) {
  const { t } = useTranslation('common')
  const [typed, setTyped] = useState(name)
  const isEmpty = typed.trim() === ''
  const submit = () => {
    if (!isEmpty && !isBusy) onRename(typed.trim())
  }
  return (
    <Modal
      open
      centered
      width={460}
      title={title}
      okText={t('save')}
      okButtonProps={{ disabled: isEmpty, loading: isBusy }}
      cancelText={t('cancel')}
      onOk={submit}
      onCancel={onClose}
    >
      <Input
        ref={firstField}
        aria-label={label}
        maxLength={maxLength}
        value={typed}
        status={isEmpty ? 'error' : ''}
        onChange={(event) => setTyped(event.target.value)}
        onPressEnter={submit}
      />
    </Modal>
  )
}

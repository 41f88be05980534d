import { Alert, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../lib/api.ts'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import type { PickedFile } from './file-picker.ts'

type Props = {
  chatId: string
  /** Of the other member. */
  name: string
  files: readonly PickedFile[]
  onClose: () => void
}

/** A reference gives nobody a right: asks whether the other one may look at the files, by a share of the cloud. */
export function ShareFiles({ chatId, name, files, onClose }: Props) {
  const { t } = useTranslation('social-attachments')
  const [withPatients, setWithPatients] = useState(false)
  const share = useAction('social/shareFile', { refresh: [], quiet: true })
  const { error } = share
  const namesPatients = error instanceof CallError && error.name === 'patients_named'
  const giveAll = async () => {
    // Each is given once: what went through before a refusal is passed over.
    for (const { id } of files) await share.mutateAsync({ chatId, fileId: id, withPatients })
    toast.success(t('share.done', { name }))
    onClose()
  }
  return (
    <Modal
      open
      centered
      width={480}
      title={t('share.title', { name })}
      okText={t('share.give')}
      cancelText={t('share.later')}
      okButtonProps={{ loading: share.isPending, disabled: namesPatients && !withPatients }}
      onOk={() => void giveAll().catch(() => undefined)}
      onCancel={onClose}
    >
      <p>{t('share.text', { count: files.length, name })}</p>
      {error && (
        <Alert type={namesPatients ? 'warning' : 'error'} showIcon title={<RefusalText error={error} />} />
      )}
      {namesPatients && (
        <Checkbox checked={withPatients} onChange={({ target }) => setWithPatients(target.checked)}>
          {t('share.withPatients')}
        </Checkbox>
      )}
    </Modal>
  )
}

import type { Project } from '@neuroloom/contract/projects'
import { Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../lib/download.ts'
import { useAction } from '../../lib/query.ts'

/** The whole project as one archive, with or without its pictures. */
export function ArchiveDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { t } = useTranslation(['projects', 'common'])
  const [withData, setWithData] = useState(true)
  const archive = useAction('projects/archive', {
    refresh: [],
    onDone: ({ url, name }) => {
      // Nobody knows its size before it is packed: it goes straight to the disk.
      void download({ url, name, sizeBytes: Number.POSITIVE_INFINITY })
      onClose()
    },
  })
  return (
    <Modal
      open
      centered
      width={520}
      title={t('archiveTitle', { name: project.name })}
      okText={t('download')}
      okButtonProps={{ loading: archive.isPending }}
      cancelText={t('common:cancel')}
      onOk={() => archive.mutate({ id: project.id, data: withData })}
      onCancel={onClose}
    >
      <p>{t('archiveText')}</p>
      <Checkbox checked={withData} onChange={(event) => setWithData(event.target.checked)}>
        {t('archiveData')}
      </Checkbox>
    </Modal>
  )
}

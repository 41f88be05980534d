import { EditOutlined, MinusCircleOutlined, MoreOutlined } from '@ant-design/icons'
import type { Dataset } from '@neuroloom/contract/datasets'
import { names } from '@neuroloom/contract/limits'
import { Button, Dropdown, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'

const refresh = ['datasets/list', 'datasets/detail', 'projects/detail', 'projects/list'] as const

/** Rename a data set, or take it out of its project. Its files stay where they are. */
export function DatasetMenu({ dataset, projectId }: { dataset: Dataset; projectId?: string }) {
  const { t } = useTranslation('datasets')
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const remove = useAction('datasets/remove', { refresh })
  const items = [
    { key: 'rename', icon: <EditOutlined aria-hidden />, label: t('rename') },
    ...(projectId
      ? [{ key: 'remove', icon: <MinusCircleOutlined aria-hidden />, label: t('remove'), danger: true }]
      : []),
  ]
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{ items, onClick: ({ key }) => setOpen(key === 'rename' ? 'rename' : 'remove') }}
      >
        <Button
          type="text"
          icon={<MoreOutlined aria-hidden />}
          aria-label={t('actionsOf', { name: dataset.name })}
        />
      </Dropdown>
      {open === 'rename' && <RenameDialog dataset={dataset} onClose={() => setOpen(null)} />}
      <ConfirmRemove
        open={open === 'remove'}
        title={t('removeTitle', { name: dataset.name })}
        text={t('removeText')}
        confirmLabel={t('remove')}
        onConfirm={() => remove.mutateAsync({ id: dataset.id, projectId: projectId ?? null })}
        onClose={() => setOpen(null)}
      />
    </>
  )
}

function RenameDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const { t } = useTranslation(['datasets', 'common'])
  const [name, setName] = useState(dataset.name)
  const rename = useAction('datasets/rename', { refresh, onDone: onClose })
  const submit = () => {
    if (name.trim() !== '' && !rename.isPending) rename.mutate({ id: dataset.id, name: name.trim() })
  }
  return (
    <Modal
      open
      centered
      width={460}
      title={t('rename')}
      okText={t('common:save')}
      okButtonProps={{ disabled: name.trim() === '', loading: rename.isPending }}
      cancelText={t('common:cancel')}
      onOk={submit}
      onCancel={onClose}
    >
      <Input
        autoFocus
        aria-label={t('name')}
        maxLength={names.length}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onPressEnter={submit}
      />
    </Modal>
  )
}

import { EditOutlined, MinusCircleOutlined, MoreOutlined } from '@ant-design/icons'
import type { Dataset } from '@neuroloom/contract/datasets'
import { names } from '@neuroloom/contract/limits'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { RenameDialog } from '../../ui/rename-dialog.tsx'

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
      {open === 'rename' && <Rename dataset={dataset} onClose={() => setOpen(null)} />}
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

function Rename({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const { t } = useTranslation('datasets')
  const rename = useAction('datasets/rename', { refresh, onDone: onClose })
  return (
    <RenameDialog
      title={t('rename')}
      label={t('name')}
      name={dataset.name}
      maxLength={names.length}
      isBusy={rename.isPending}
      onRename={(name) => rename.mutate({ id: dataset.id, name })}
      onClose={onClose}
    />
  )
}

import { EditOutlined, MinusCircleOutlined, MoreOutlined, ReloadOutlined } from '@ant-design/icons'
import type { Dataset } from '@neuroloom/contract/datasets'
import { names } from '@neuroloom/contract/limits'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { RenameDialog } from '../../ui/rename-dialog.tsx'
import type { ProjectOfSet } from './dataset-use.tsx'

const refresh = [
  'datasets/list',
  'datasets/detail',
  'projects/detail',
  'projects/list',
  'plans/shared',
] as const

/** Rename an own data set, look at its folder again, or take it out of its project. Its files stay where they are. */
export function DatasetMenu({ dataset, project }: { dataset: Dataset; project?: ProjectOfSet }) {
  const { t } = useTranslation('datasets')
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const remove = useAction('datasets/remove', { refresh })
  const isOwn = dataset.owner === ''
  const mayTakeOut = project?.access === 'own' || (project?.access === 'edit' && isOwn)
  const recheck = useAction('datasets/recheck', { refresh })
  const items = [
    ...(isOwn
      ? [
          { key: 'rename', icon: <EditOutlined aria-hidden />, label: t('rename') },
          {
            key: 'recheck',
            icon: <ReloadOutlined aria-hidden />,
            label: t('recheck'),
            disabled: dataset.state === 'checking',
          },
        ]
      : []),
    ...(mayTakeOut
      ? [{ key: 'remove', icon: <MinusCircleOutlined aria-hidden />, label: t('remove'), danger: true }]
      : []),
  ]
  const choose = (key: string) => {
    if (key === 'recheck') recheck.mutate({ id: dataset.id })
    else setOpen(key === 'rename' ? 'rename' : 'remove')
  }
  if (items.length === 0) return null
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{ items, onClick: ({ key }) => choose(key) }}
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
        onConfirm={() => remove.mutateAsync({ id: dataset.id, projectId: project?.id ?? null })}
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

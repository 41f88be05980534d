import { DeleteOutlined, EditOutlined, MoreOutlined } from '@ant-design/icons'
import type { FlowSummary } from '@neuroloom/contract/flow/calls'
import { flowLimits } from '@neuroloom/contract/limits'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { RenameDialog } from '../../../ui/rename-dialog.tsx'
import styles from '../flow.module.css'

type Props = { study: FlowSummary; onGone?: () => void }

/** Rename or delete a study; its files stay where they are. */
export function StudyMenu({ study, onGone }: Props) {
  const { t } = useTranslation('flow')
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const { id, name, source } = study
  const close = () => setOpen(null)
  const rename = useAction('flow/rename', { refresh: ['flow/studies', 'flow/study'], onDone: close })
  const remove = useAction('flow/remove', { refresh: ['flow/studies'] })
  const items = [
    { key: 'rename', icon: <EditOutlined aria-hidden />, label: t('rename') },
    { key: 'remove', icon: <DeleteOutlined aria-hidden />, label: t('remove.menu'), danger: true },
  ]
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{ items, onClick: ({ key }) => setOpen(key === 'rename' ? 'rename' : 'remove') }}
      >
        <Button type="text" icon={<MoreOutlined aria-hidden />} aria-label={t('list.actionsOf', { name })} />
      </Dropdown>
      {open === 'rename' && (
        <RenameDialog
          title={t('rename')}
          label={t('name')}
          name={name}
          maxLength={flowLimits.nameLength}
          isBusy={rename.isPending}
          onRename={(next) => rename.mutate({ id, name: next })}
          onClose={close}
        />
      )}
      <ConfirmRemove
        open={open === 'remove'}
        title={t('remove.title', { name })}
        text={
          <div className={styles.words}>
            <p>{t('remove.text')}</p>
            <p>{t(`remove.${left(source)}`)}</p>
          </div>
        }
        onConfirm={async () => {
          await remove.mutateAsync({ id })
          onGone?.()
        }}
        onClose={close}
      />
    </>
  )
}

/** What is there still, or can be had again. */
function left(source: FlowSummary['source']): 'again' | 'finer' | 'stays' {
  if (source === 'phantom') return 'again'
  return source === 'sharpened' ? 'finer' : 'stays'
}

import { EllipsisOutlined, HighlightOutlined } from '@ant-design/icons'
import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { Button, Dropdown } from 'antd'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { call } from '../../../lib/api.ts'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'

const UseAsData = lazyPart(async () => (await import('./use-as-data.tsx')).UseAsData)
const ExportDialog = lazyPart(async () => (await import('../exchange/export-dialog.tsx')).ExportDialog)
const ImportDialog = lazyPart(async () => (await import('../exchange/import-dialog.tsx')).ImportDialog)

export type SetActionsProps = {
  set: LabelSet
  /** Chooses a folder of the cloud; the page composes it. */
  picker: (props: { open: boolean; onPick: (folderId: string) => void; onClose: () => void }) => ReactNode
  onOpenFolder: (folderId: string) => void
  onGone: () => void
}

const dialogNames = ['data', 'export', 'import', 'remove', 'leave'] as const
type Dialog = (typeof dialogNames)[number]

/** On with the next image, and what else one does with a set. */
export function SetActions({ set, picker, onOpenFolder, onGone }: SetActionsProps) {
  const { t } = useTranslation('labelling')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const gather = useAction('labelling/gather', { refresh: ['labelling/detail', 'labelling/items'] })
  const { id, right, owner } = set
  const close = () => setDialog(null)
  const goOn = async () => {
    try {
      const { items } = await call('labelling/items', { id, show: 'unfinished' })
      const [first] = items
      if (!first) return toast.success(t('items.allDone'))
      navigate(`/labelling?set=${encodeURIComponent(id)}&item=${encodeURIComponent(first.id)}`)
    } catch {
      // The call has told why.
    }
  }
  const offered = [
    { key: 'data', label: t('items.useAsData') },
    { key: 'export', label: t('items.export') },
    { key: 'import', label: t('items.import') },
    ...(right === 'own' ? [{ key: 'gather', label: t('items.gather') }] : []),
    { type: 'divider' as const },
    ...(right === 'own' ? [{ key: 'remove', label: t('items.removeSet'), danger: true }] : []),
    ...(owner !== '' ? [{ key: 'leave', label: t('items.leave'), danger: true }] : []),
  ]
  return (
    <>
      {set.items > 0 && (
        <Button type="primary" icon={<HighlightOutlined aria-hidden />} onClick={() => void goOn()}>
          {t('items.goOn')}
        </Button>
      )}
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{
          items: offered,
          onClick: ({ key }) => {
            if (key === 'gather') gather.mutate({ id })
            setDialog(dialogNames.find((name) => name === key) ?? null)
          },
        }}
      >
        <Button icon={<EllipsisOutlined aria-hidden />} loading={gather.isPending}>
          {t('items.more')}
        </Button>
      </Dropdown>
      <Suspense fallback={null}>
        {dialog === 'data' && <UseAsData set={set} onClose={close} />}
        {dialog === 'export' && <ExportDialog {...{ set, onOpenFolder }} onClose={close} />}
        {dialog === 'import' && <ImportDialog {...{ set, picker }} onClose={close} />}
      </Suspense>
      <Ending {...{ set, dialog, onGone }} onClose={close} />
    </>
  )
}

type EndingProps = { set: LabelSet; dialog: Dialog | null; onGone: () => void; onClose: () => void }

/** Asked before a set goes, or one goes from it. */
function Ending({ set: { id, name, owner }, dialog, onGone, onClose }: EndingProps) {
  const { t } = useTranslation('labelling')
  const options = { refresh: ['labelling/list'] as const, onDone: onGone }
  const remove = useAction('labelling/remove', options)
  const leave = useAction('labelling/leave', options)
  return (
    <>
      <ConfirmRemove
        open={dialog === 'remove'}
        title={t('items.removeTitle', { name })}
        text={t('items.removeText')}
        onConfirm={() => remove.mutateAsync({ id })}
        onClose={onClose}
      />
      <ConfirmRemove
        open={dialog === 'leave'}
        title={t('items.leaveTitle', { name })}
        text={t('items.leaveText', { owner })}
        confirmLabel={t('items.leave')}
        onConfirm={() => leave.mutateAsync({ id })}
        onClose={onClose}
      />
    </>
  )
}

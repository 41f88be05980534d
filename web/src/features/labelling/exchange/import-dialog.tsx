import { mergeWays } from '@neuroloom/contract/labelling/exchange'
import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { Alert, Button, Modal, Radio } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { ClassMapping, type Mapping, mappingOf } from './class-mapping.tsx'
import styles from './exchange.module.css'
import { Problems } from './problems.tsx'
import { ProgressPart } from './progress-part.tsx'
import { useExchange } from './use-exchange.ts'

type Merge = (typeof mergeWays)[number]
type PickerProps = { open: boolean; onPick: (folderId: string) => void; onClose: () => void }
type Props = {
  set: LabelSet
  onClose: () => void
  /** Chooses a folder of the cloud; pages bring it. */
  picker: (props: PickerProps) => ReactNode
}

/** Takes labels of other programs into the own readings: a folder, what was found in it, what its classes become. */
export function ImportDialog({ set, onClose, picker }: Props) {
  const { t } = useTranslation('label-exchange')
  const [isPicking, setIsPicking] = useState(false)
  const [id, setId] = useState<string | null>(null)
  const [changed, setChanged] = useState<Mapping>({})
  const [merge, setMerge] = useState<Merge>('add')
  const exchange = useExchange(set.id, id)
  const refresh = ['labelling/exchanges', 'labelling/detail', 'labelling/items', 'labelling/open'] as const
  const look = useAction('labelling/importPlan', {
    quiet: true,
    refresh: ['labelling/exchanges'],
    onDone: (begun) => setId(begun.id),
  })
  const take = useAction('labelling/import', { quiet: true, refresh })
  const plan = exchange?.state === 'planned' ? exchange.importPlan : null
  const mapping = { ...mappingOf(plan?.classes ?? [], set.right === 'own'), ...changed }
  const isEmpty = plan?.classes.every(({ count }) => count === 0) ?? false
  const isBegun = id !== null && exchange?.state !== 'failed' && exchange?.state !== 'cancelled' && !isEmpty
  const error = look.error ?? take.error
  const go = () => {
    if (!exchange) return
    const classes = Object.entries(mapping).map(([name, to]) => ({ name, to }))
    take.mutate({ exchangeId: exchange.id, merge, classes })
  }
  return (
    <Modal
      open
      centered
      width={640}
      title={t('importTitle', { name: set.name })}
      okText={t('takeIn')}
      okButtonProps={{ disabled: Object.values(mapping).every((to) => to === null) }}
      footer={(_, { OkBtn, CancelBtn }) => (
        <>
          <CancelBtn />
          {plan !== null && !isEmpty && <OkBtn />}
        </>
      )}
      confirmLoading={take.isPending}
      onOk={go}
      cancelText={t('close')}
      onCancel={onClose}
    >
      <div className={styles.form}>
        {!isBegun && (
          <>
            <p>{t('chooseHint')}</p>
            <Button type="primary" loading={look.isPending} onClick={() => setIsPicking(true)}>
              {t('chooseFolder')}
            </Button>
          </>
        )}
        {exchange && <ProgressPart exchange={exchange} />}
        {exchange && plan && isEmpty && (
          <>
            <Alert type="warning" showIcon title={t('noneFits', { found: t(`found.${plan.found}`) })} />
            <Problems isOpen problems={plan.problems} count={plan.problemCount} />
          </>
        )}
        {exchange && plan && !isEmpty && (
          <>
            <p>
              {t('importSum', {
                ...{ folder: exchange.folderName, found: t(`found.${plan.found}`) },
                ...{ images: formatNumber(plan.images), marked: formatNumber(plan.marked) },
              })}
            </p>
            <ClassMapping {...{ set, mapping }} found={plan.classes} onChange={setChanged} />
            {plan.marked > 0 && <MergeChoice merge={merge} onChange={setMerge} />}
            <Problems problems={plan.problems} count={plan.problemCount} />
          </>
        )}
        {exchange?.state === 'done' && (
          <>
            <Alert type="success" showIcon title={t('imported', { done: formatNumber(exchange.done) })} />
            <Problems
              problems={exchange.importPlan?.problems ?? []}
              count={exchange.importPlan?.problemCount ?? 0}
            />
          </>
        )}
        {error && <Alert type="error" showIcon title={messageOf(error)} />}
      </div>
      {picker({
        open: isPicking,
        onPick(folderId) {
          setIsPicking(false)
          setChanged({})
          look.mutate({ id: set.id, folderId })
        },
        onClose: () => setIsPicking(false),
      })}
    </Modal>
  )
}

function MergeChoice({ merge, onChange }: { merge: Merge; onChange: (merge: Merge) => void }) {
  const { t } = useTranslation('label-exchange')
  return (
    <fieldset className={styles.field}>
      <legend>{t('merge')}</legend>
      <Radio.Group
        value={merge}
        onChange={({ target }) => onChange(target.value)}
        className={styles.radios ?? ''}
      >
        {mergeWays.map((way) => (
          <Radio key={way} value={way}>
            {t(way)}
          </Radio>
        ))}
      </Radio.Group>
    </fieldset>
  )
}

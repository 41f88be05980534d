import type { CustomPrice, CustomTask } from '@neuroloom/contract/custom/task-calls'
import type { CustomKind } from '@neuroloom/contract/custom/task-states'
import { custom as limits } from '@neuroloom/contract/limits'
import { type ProjectTask, projectTasks } from '@neuroloom/contract/task'
import { Input, Modal, Radio, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { formatFen } from '../../lib/format-money.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import styles from './custom.module.css'
import { type Source, SourceField } from './source-field.tsx'

type Props = {
  /** One that was rejected, to be handed in again; null = a new one. */
  task: CustomTask | null
  prices: readonly CustomPrice[] | null
  onClose: () => void
}

type Draft = { kind: CustomKind; title: string; task: ProjectTask; description: string; source: Source }

/** What is to be done, and on which data. */
export function RequestDialog({ task, prices, onClose }: Props) {
  const { t } = useTranslation(['custom', 'common', 'tasks'])
  const ids = { title: useId(), task: useId(), description: useId() }
  const [requestId] = useState(newRequestId)
  const [draft, setDraft] = useState<Draft>(() => ({ ...emptyDraft, ...task }))
  const [isAsked, setAsked] = useState(false)
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })
  const send = useSend({ task, requestId, onDone: onClose })
  const missing = {
    title: isAsked && draft.title.trim() === '',
    description: isAsked && draft.description.trim() === '',
    source: isAsked && draft.source?.id === '',
  }
  const handleSend = () => {
    setAsked(true)
    const isWhole = draft.title.trim() !== '' && draft.description.trim() !== '' && draft.source?.id !== ''
    if (isWhole) send.run(draft)
  }
  const price = prices?.find(({ kind }) => kind === draft.kind)?.priceFen ?? null
  return (
    <Modal
      open
      centered
      width={640}
      title={t(task === null ? 'ask.title' : 'again.title')}
      okText={t(task === null ? 'ask.send' : 'again.send')}
      okButtonProps={{ loading: send.isPending }}
      cancelText={t('common:cancel')}
      onOk={handleSend}
      onCancel={onClose}
    >
      <div className={styles.form}>
        {task !== null && <p className={styles.help}>{t('again.reason', { reason: task.reason })}</p>}
        {task === null && (
          <>
            <Radio.Group
              aria-label={t('fact.kind')}
              value={draft.kind}
              onChange={({ target }) => set({ kind: target.value })}
              options={(['customisation', 'tuning'] as const).map((value) => ({
                value,
                label: t(`kind.${value}`),
              }))}
            />
            <p className={styles.help}>
              {t(`ask.about.${draft.kind}`)}{' '}
              {price === null ? t('ask.byReview') : t('ask.fixed', { amount: formatFen(price) })}
            </p>
          </>
        )}
        <label htmlFor={ids.title}>{t('ask.name')}</label>
        <Input
          id={ids.title}
          value={draft.title}
          maxLength={limits.titleLength}
          status={missing.title ? 'error' : ''}
          aria-invalid={missing.title}
          onChange={({ target }) => set({ title: target.value })}
        />
        {missing.title && <Missing text={t('ask.nameMissing')} />}
        <label htmlFor={ids.task}>{t('fact.task')}</label>
        <Select<ProjectTask>
          id={ids.task}
          value={draft.task}
          onChange={(chosen) => set({ task: chosen })}
          options={projectTasks.map((value) => ({ value, label: t(`tasks:name.${value}`) }))}
        />
        <label htmlFor={ids.description}>{t('ask.description')}</label>
        <Input.TextArea
          id={ids.description}
          value={draft.description}
          maxLength={limits.descriptionLength}
          autoSize={{ minRows: 4, maxRows: 10 }}
          status={missing.description ? 'error' : ''}
          aria-invalid={missing.description}
          onChange={({ target }) => set({ description: target.value })}
        />
        {missing.description ? (
          <Missing text={t('ask.descriptionMissing')} />
        ) : (
          <p className={styles.help}>{t('ask.noPatients')}</p>
        )}
        <SourceField source={draft.source} onSource={(source) => set({ source })} />
        {missing.source && <Missing text={t('source.choose')} />}
        {send.error && <Missing text={messageOf(send.error)} />}
      </div>
    </Modal>
  )
}

const Missing = ({ text }: { text: string }) => (
  <p role="alert" className={styles.problem}>
    {text}
  </p>
)

const emptyDraft: Draft = {
  kind: 'customisation',
  title: '',
  task: 'classification',
  description: '',
  source: null,
}

function useSend({
  task,
  requestId,
  onDone,
}: {
  task: CustomTask | null
  requestId: string
  onDone: () => void
}) {
  const { t } = useTranslation('custom')
  const options = {
    quiet: true,
    refresh: ['customTask/list' as const, 'customTask/detail' as const],
    onDone: () => {
      toast.success(t('ask.done'))
      onDone()
    },
  }
  const create = useAction('customTask/create', options)
  const resubmit = useAction('customTask/resubmit', options)
  return {
    isPending: create.isPending || resubmit.isPending,
    error: create.error ?? resubmit.error,
    run: ({ kind, title, task: wanted, description, source }: Draft) => {
      const request = {
        ...{ title: title.trim(), task: wanted, description: description.trim() },
        source: source && { kind: source.kind, id: source.id },
      }
      if (task === null) create.mutate({ requestId, kind, ...request })
      else resubmit.mutate({ id: task.id, ...request })
    },
  }
}

/** Names one request, so that sending it again after a lost answer does not ask twice. */
const newRequestId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

import type { CustomTask } from '@neuroloom/contract/custom/task-calls'
import { Button, Progress } from 'antd'
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { Facts } from '../../ui/facts.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import styles from './custom.module.css'
import { sourceFact, taskFactsOf } from './task-facts.tsx'
import { TaskMark } from './task-mark.tsx'
import { TaskSteps } from './task-steps.tsx'

const RequestDialog = lazyPart(async () => (await import('./request-dialog.tsx')).RequestDialog, {
  over: true,
})

type Props = {
  task: CustomTask
  mayOrder: boolean
  /** A message led to it: what became of it is shown at once. */
  isOpened: boolean
  onPay: () => void
}

/** One request: how it stands, what can be done now, and all that became of it. */
export function OwnTaskCard({ task, mayOrder, isOpened, onPay }: Props) {
  const { t } = useTranslation(['custom', 'tasks'])
  const title = useId()
  const [hasSteps, setSteps] = useState(isOpened)
  const [open, setOpen] = useState<'again' | 'remove' | null>(null)
  const { id, state, progress } = task
  const isGivenUp = state === 'unpaid' || state === 'rejected'
  const remove = useAction('customTask/remove', {
    refresh: ['customTask/list', 'payment/orders'],
    onDone: () => toast.success(t('remove.done')),
  })
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h3 id={title}>{task.title}</h3>
        <TaskMark state={state} />
      </header>
      {(state === 'processing' || state === 'completed') && (
        <Progress percent={progress} aria-label={t('progress')} status="normal" />
      )}
      <p className={styles.text}>{task.description}</p>
      <Facts facts={[...taskFactsOf(task, t), sourceFact(task, t, true)]} />
      <div className={styles.actions}>
        {state === 'unpaid' && (
          <Button type="primary" disabled={!mayOrder} onClick={onPay}>
            {t('pay.open')}
          </Button>
        )}
        {state === 'rejected' && (
          <Button type="primary" disabled={!mayOrder} onClick={() => setOpen('again')}>
            {t('again.open')}
          </Button>
        )}
        <Button aria-expanded={hasSteps} onClick={() => setSteps(!hasSteps)}>
          {t('steps.open')}
        </Button>
        {isGivenUp && (
          <Button danger onClick={() => setOpen('remove')}>
            {t('remove.open')}
          </Button>
        )}
      </div>
      {hasSteps && <TaskSteps key={task.changedAt} id={id} />}
      <Suspense>
        {open === 'again' && <RequestDialog task={task} prices={null} onClose={() => setOpen(null)} />}
      </Suspense>
      <ConfirmRemove
        open={open === 'remove'}
        title={t('remove.title', { title: task.title })}
        text={t('remove.text')}
        confirmLabel={t('remove.confirm')}
        onConfirm={() => remove.mutateAsync({ id })}
        onClose={() => setOpen(null)}
      />
    </article>
  )
}

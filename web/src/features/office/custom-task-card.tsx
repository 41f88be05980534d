import type { OfficeTask } from '@neuroloom/contract/custom/task-calls'
import { workingHoursBetween } from '@neuroloom/contract/custom/working-hours'
import { Button, Progress } from 'antd'
import type { TFunction } from 'i18next'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { ApproveTaskDialog, ProviderDialog, RejectTaskDialog } from './custom-task-dialogs.tsx'
import styles from './office.module.css'

const marks = {
  unpaid: 'waiting',
  pending_review: 'asked',
  approved: 'asked',
  rejected: 'failed',
  processing: 'running',
  completed: 'done',
} as const satisfies Record<OfficeTask['state'], string>

type Props = {
  task: OfficeTask
  /** What can be reported of the work. */
  work: ReactNode
}

/** One request with its review, its provider and its progress. Nobody decides an own one. */
export function CustomTaskCard({ task, work }: Props) {
  const { t } = useTranslation(['custom-office', 'tasks'])
  const title = useId()
  const [open, setOpen] = useState<'approve' | 'reject' | 'provider' | null>(null)
  const { state, progress, isOwn } = task
  const isWaiting = state === 'pending_review'
  const isAtWork = state === 'approved' || state === 'processing'
  const close = () => setOpen(null)
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{task.title}</h2>
        <span className={styles.spring} />
        <StateMark state={marks[state]} text={t(`states.${state}`)} />
      </header>
      {(state === 'processing' || state === 'completed') && (
        <Progress percent={progress} aria-label={t('progress')} status="normal" />
      )}
      <p className={styles.quote}>{task.description}</p>
      <Facts facts={factsOf(task, t)} />
      {(isWaiting || isAtWork) && isOwn && <p className={styles.help}>{t('own')}</p>}
      {!isOwn && (isWaiting || isAtWork) && (
        <div className={styles.actions}>
          {isWaiting && (
            <>
              <Button type="primary" onClick={() => setOpen('approve')}>
                {t('approve.open')}
              </Button>
              <Button danger onClick={() => setOpen('reject')}>
                {t('reject.open')}
              </Button>
            </>
          )}
          {isAtWork && work}
          {isAtWork && <Button onClick={() => setOpen('provider')}>{t('provider.open')}</Button>}
        </div>
      )}
      {open === 'approve' && <ApproveTaskDialog task={task} onClose={close} />}
      {open === 'reject' && <RejectTaskDialog task={task} onClose={close} />}
      {open === 'provider' && <ProviderDialog task={task} onClose={close} />}
    </article>
  )
}

function factsOf(task: OfficeTask, t: TFunction<['custom-office', 'tasks']>): Fact[] {
  const { member, provider, source, dueAt, state } = task
  const at = (date: string | null) => (date === null ? null : formatDate(date, 'minute'))
  const person = ({ account, nickName }: { account: string; nickName: string }) =>
    account === '' ? t('accountGone') : `${nickName} (${account})`
  return [
    [t('fact.id'), task.id],
    [t('kind'), t(`kinds.${task.kind}`)],
    [t('fact.task'), t(`tasks:name.${task.task}`)],
    [t('fact.member'), person(member)],
    [t('fact.source'), source && t(`sources.${source.kind}`, { name: source.name })],
    [t('fact.price'), priceOf(task, t)],
    [t('fact.order'), task.orderNo],
    [t('fact.published'), at(task.publishedAt)],
    [t('fact.approved'), at(task.approvedAt)],
    [t('fact.due'), dueAt === null ? null : dueOf(dueAt, state, t)],
    [t('fact.completed'), at(task.completedAt)],
    [t('fact.provider'), provider && person(provider)],
    [t('fact.reason'), state === 'rejected' ? task.reason : null],
  ]
}

function priceOf({ priceFen, isPaid }: OfficeTask, t: TFunction<'custom-office'>): string {
  if (priceFen === null) return t('price.toSet')
  if (priceFen === 0) return t('price.free')
  return t(isPaid ? 'price.paid' : 'price.open', { amount: formatFen(priceFen) })
}

function dueOf(dueAt: string, state: OfficeTask['state'], t: TFunction<'custom-office'>): string {
  const date = formatDate(dueAt, 'minute')
  if (state === 'completed') return date
  const count = Math.ceil(workingHoursBetween(new Date(), new Date(dueAt)))
  return count === 0 ? t('due.over', { date }) : t('due.left', { date, count })
}

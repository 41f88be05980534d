import type { CustomTask } from '@neuroloom/contract/custom/task-calls'
import { workingHoursBetween } from '@neuroloom/contract/custom/working-hours'
import type { TFunction } from 'i18next'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import type { Fact } from '../../ui/facts.tsx'

type T = TFunction<['custom', 'tasks']>

/** What is known of a task, for its member and for whoever works on it. */
export function taskFactsOf(task: CustomTask, t: T): Fact[] {
  const at = (date: string | null) => (date === null ? null : formatDate(date, 'minute'))
  return [
    [t('fact.id'), task.id],
    [t('fact.kind'), t(`kind.${task.kind}`)],
    [t('fact.task'), t(`tasks:name.${task.task}`)],
    [t('fact.price'), priceOf(task, t)],
    [t('fact.published'), at(task.publishedAt)],
    [t('fact.approved'), at(task.approvedAt)],
    [t('fact.due'), dueOf(task, t)],
    [t('fact.completed'), at(task.completedAt)],
    [t('fact.reason'), task.state === 'rejected' ? task.reason : null],
  ]
}

function priceOf({ priceFen, isPaid }: CustomTask, t: T): string {
  if (priceFen === null) return t('price.byReview')
  if (priceFen === 0) return t('price.free')
  return t(isPaid ? 'price.paid' : 'price.open', { amount: formatFen(priceFen) })
}

/** Working hours run from the approval until the task is completed. */
function dueOf({ dueAt, state }: CustomTask, t: T): string | null {
  if (dueAt === null) return null
  const date = formatDate(dueAt, 'minute')
  if (state === 'completed') return date
  const count = Math.ceil(workingHoursBetween(new Date(), new Date(dueAt)))
  return count === 0 ? t('due.over', { date }) : t('due.left', { date, count })
}

/** The owner follows the reference; to anybody else it is a name. */
export function sourceFact({ source }: CustomTask, t: T, isOwn: boolean): Fact {
  if (source === null) return [t('fact.source'), t('source.none')]
  const to = source.kind === 'project' ? `/projectDetail?id=${source.id}` : `/cloudFile?id=${source.id}`
  const text = t(`source.named.${source.kind}`, { name: source.name })
  const link = (
    <Link key="source" to={to}>
      {text}
    </Link>
  )
  return [t('fact.source'), isOwn ? link : text]
}

import { membership as limits } from '@neuroloom/contract/limits'
import type { OfficeWithdrawal } from '@neuroloom/contract/membership/wallet'
import { Button, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import list from '../../ui/list.module.css'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { DeedDialog } from './deed-dialog.tsx'
import styles from './office.module.css'
import { WordsField } from './words-field.tsx'

type State = OfficeWithdrawal['status']
const marks = { under_review: 'asked', recorded: 'done', not_passed: 'failed' } as const satisfies Record<
  State,
  string
>

/** Money that members ask to be paid out, first those who wait. */
export function Withdrawals() {
  const { t } = useTranslation('office')
  const [state, setState] = useState<State | null>('under_review')
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useCall(
    'office/withdrawals',
    { state, page },
    { quiet: true, keepPrevious: true },
  )
  // What was decided may have been the last of its page.
  if (data?.withdrawals.length === 0 && page > 1 && !isPlaceholderData) setPage(page - 1)
  return (
    <>
      <div className={list.tools}>
        <Select<State | 'all'>
          aria-label={t('withdrawals.which')}
          value={state ?? 'all'}
          onChange={(chosen) => {
            setState(chosen === 'all' ? null : chosen)
            setPage(1)
          }}
          options={[
            ...(['under_review', 'recorded', 'not_passed'] as const).map((value) => ({
              value,
              label: t(`withdrawals.states.${value}`),
            })),
            { value: 'all' as const, label: t('withdrawals.all') },
          ]}
        />
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.withdrawals.length === 0 && (
        <EmptyState
          title={t(state === 'under_review' ? 'withdrawals.noneWaits' : 'withdrawals.none')}
          text={t('withdrawals.emptyText')}
        />
      )}
      <ul className={styles.cards} aria-label={t('withdrawals.title')}>
        {data?.withdrawals.map((withdrawal) => (
          <li key={withdrawal.withdrawalNo}>
            <WithdrawalCard withdrawal={withdrawal} />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
    </>
  )
}

type Decision = 'passed' | 'refused'

function WithdrawalCard({ withdrawal }: { withdrawal: OfficeWithdrawal }) {
  const { t } = useTranslation('office')
  const title = useId()
  const [decision, setDecision] = useState<Decision | null>(null)
  const { withdrawalNo, amountFen, status, method, payee, member, reviewedAt, isOwn } = withdrawal
  const isWaiting = status === 'under_review'
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{t(`withdrawals.methods.${method}`)}</h2>
        <span className={styles.price}>{formatFen(amountFen)}</span>
        <span className={styles.spring} />
        <StateMark state={marks[status]} text={t(`withdrawals.states.${status}`)} />
      </header>
      <Facts
        facts={[
          [t('withdrawals.number'), withdrawalNo],
          [
            t('order.member'),
            member.account === '' ? t('order.accountGone') : `${member.nickName} (${member.account})`,
          ],
          [t('withdrawals.name'), payee?.name ?? null],
          [t('withdrawals.bank'), payee?.bank ?? null],
          [t('withdrawals.account'), payee?.account ?? (isWaiting ? t('withdrawals.unreadable') : null)],
          [t('withdrawals.asked'), formatDate(withdrawal.askedAt, 'minute')],
          [t('withdrawals.reviewed'), reviewedAt === null ? null : formatDate(reviewedAt, 'minute')],
          [t('withdrawals.reference'), withdrawal.reference],
          [t('withdrawals.reason'), withdrawal.reason],
        ]}
      />
      {isWaiting && isOwn && <p className={styles.help}>{t('withdrawals.own')}</p>}
      {isWaiting && !isOwn && (
        <div className={styles.actions}>
          <Button type="primary" onClick={() => setDecision('passed')}>
            {t('withdrawals.pass')}
          </Button>
          <Button danger onClick={() => setDecision('refused')}>
            {t('withdrawals.refuse')}
          </Button>
        </div>
      )}
      {decision && (
        <ReviewDialog withdrawal={withdrawal} decision={decision} onClose={() => setDecision(null)} />
      )}
    </article>
  )
}

type ReviewDialogProps = { withdrawal: OfficeWithdrawal; decision: Decision; onClose: () => void }

/** The reference under which it was paid out, or why it is not; the member is told either. */
function ReviewDialog({ withdrawal, decision, onClose }: ReviewDialogProps) {
  const { t } = useTranslation('office')
  const [words, setWords] = useState('')
  const { withdrawalNo, amountFen } = withdrawal
  const isPassed = decision === 'passed'
  const decide = useAction('office/withdrawal', {
    refresh: ['office/withdrawals'],
    quiet: true,
    onDone: () => toast.success(t('withdrawals.done')),
  })
  const save = () => {
    const said = words.trim()
    return decide.mutateAsync({
      withdrawalNo,
      decision: isPassed ? { is: 'passed', reference: said } : { is: 'refused', reason: said },
    })
  }
  const part = isPassed ? 'pass' : 'refuse'
  return (
    <DeedDialog
      title={t(`withdrawals.${part}Title`, { amount: formatFen(amountFen) })}
      text={t(`withdrawals.${part}Text`)}
      saveLabel={t(`withdrawals.${part}Confirm`)}
      isDanger={!isPassed}
      isDisabled={words.trim() === ''}
      error={decide.error}
      onSave={save}
      onClose={onClose}
    >
      <WordsField
        id="withdrawal-words"
        label={t(isPassed ? 'withdrawals.reference' : 'withdrawals.reason')}
        help={t(isPassed ? 'withdrawals.referenceHelp' : 'withdrawals.reasonHelp')}
        text={words}
        maxLength={isPassed ? limits.referenceLength : limits.reasonLength}
        isLong={!isPassed}
        onText={setWords}
      />
    </DeedDialog>
  )
}

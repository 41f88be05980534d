import { market as limits } from '@neuroloom/contract/limits'
import type { OfficeDemand } from '@neuroloom/contract/market/office'
import { type DemandState, demandStates } from '@neuroloom/contract/market/states'
import { parseYuan } from '@neuroloom/contract/membership/money'
import { Alert, Button, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
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
import { YuanField } from './yuan-field.tsx'

const marks = {
  open: 'waiting',
  assigned: 'running',
  delivered: 'running',
  accepted: 'done',
  disputed: 'asked',
  closed: 'done',
  withdrawn: 'cancelled',
} as const satisfies Record<DemandState, string>

/** Work on order, first what is in dispute: there an administrator divides the held money. */
export function Demands() {
  const { t } = useTranslation('office')
  const [state, setState] = useState<DemandState | null>('disputed')
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useCall(
    'office/demands',
    { state, page },
    { quiet: true, keepPrevious: true },
  )
  // What was decided may have been the last of its page.
  if (data?.demands.length === 0 && page > 1 && !isPlaceholderData) setPage(page - 1)
  return (
    <>
      <div className={list.tools}>
        <Select<DemandState | 'all'>
          aria-label={t('demands.which')}
          value={state ?? 'all'}
          onChange={(chosen) => {
            setState(chosen === 'all' ? null : chosen)
            setPage(1)
          }}
          options={[
            { value: 'disputed' as const, label: t('demands.states.disputed') },
            ...demandStates
              .filter((value) => value !== 'disputed')
              .map((value) => ({ value, label: t(`demands.states.${value}`) })),
            { value: 'all' as const, label: t('demands.all') },
          ]}
        />
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.demands.length === 0 && (
        <EmptyState
          title={t(state === 'disputed' ? 'demands.noneDisputed' : 'demands.none')}
          text={t('demands.emptyText')}
        />
      )}
      <ul className={styles.cards} aria-label={t('demands.title')}>
        {data?.demands.map((demand) => (
          <li key={demand.id}>
            <DemandCard demand={demand} />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
    </>
  )
}

function DemandCard({ demand }: { demand: OfficeDemand }) {
  const { t } = useTranslation('office')
  const title = useId()
  const [isDeciding, setDeciding] = useState(false)
  const { state, work, owner, ownerAccount, providerAccount, isParty } = demand
  const person = (nickName: string, account: string) =>
    account === '' ? t('order.accountGone') : `${nickName} (${account})`
  const money = (fen: number | undefined) => (fen === undefined || fen === 0 ? null : formatFen(fen))
  const isOpen = state === 'disputed'
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>
          {isOpen ? <Link to={`/demandDetail?id=${demand.id}`}>{demand.title}</Link> : demand.title}
        </h2>
        <span className={styles.price}>{formatFen(work?.offer.priceFen ?? demand.budgetFen)}</span>
        <span className={styles.spring} />
        <StateMark state={marks[state]} text={t(`demands.states.${state}`)} />
      </header>
      <Facts
        facts={[
          [t('demands.owner'), person(owner.nickName, ownerAccount)],
          [t('demands.provider'), work && person(work.offer.provider.nickName, providerAccount)],
          [t('demands.posted'), formatDate(demand.createdAt, 'minute')],
          [t('demands.held'), money(work?.heldFen)],
          [t('demands.released'), money(work?.releasedFen)],
          [t('demands.wanted'), demand.description],
          [t('demands.agreed'), work?.offer.text ?? null],
          [t('demands.deliveries'), work ? work.deliveries.map(({ text }) => text).join('\n') : null],
        ]}
      />
      {work?.dispute && <Reason dispute={work.dispute} />}
      {isOpen && isParty && <p className={styles.help}>{t('demands.own')}</p>}
      {isOpen && !isParty && (
        <div className={styles.actions}>
          <Button type="primary" onClick={() => setDeciding(true)}>
            {t('demands.decide')}
          </Button>
        </div>
      )}
      {isDeciding && work && (
        <DecideDialog id={demand.id} heldFen={work.heldFen} onClose={() => setDeciding(false)} />
      )}
    </article>
  )
}

type Dispute = NonNullable<NonNullable<OfficeDemand['work']>['dispute']>

function Reason({ dispute: { byOwner, reason, decision } }: { dispute: Dispute }) {
  const { t } = useTranslation('office')
  if (!decision)
    return (
      <Alert
        type="warning"
        showIcon
        title={t(byOwner ? 'demands.byOwner' : 'demands.byProvider')}
        description={reason}
      />
    )
  const split = { provider: formatFen(decision.providerFen), owner: formatFen(decision.ownerFen) }
  return <Alert type="info" showIcon title={t('demands.decided', split)} description={decision.reason} />
}

/** How the held money is divided: what the provider gets; the rest goes back to the customer. */
function DecideDialog({ id, heldFen, onClose }: { id: string; heldFen: number; onClose: () => void }) {
  const { t } = useTranslation('office')
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const decide = useAction('office/dispute', {
    refresh: ['office/demands', 'office/orders'],
    quiet: true,
    onDone: () => toast.success(t('demands.done')),
  })
  const providerFen = parseYuan(amount)
  const isTooMuch = providerFen !== null && providerFen > heldFen
  const isReady = providerFen !== null && !isTooMuch && reason.trim() !== ''
  return (
    <DeedDialog
      title={t('demands.decideTitle', { held: formatFen(heldFen) })}
      text={t('demands.decideText')}
      saveLabel={t('demands.decide')}
      isDisabled={!isReady}
      error={decide.error}
      onSave={async () =>
        providerFen !== null && decide.mutateAsync({ id, providerFen, reason: reason.trim() })
      }
      onClose={onClose}
    >
      <YuanField
        id="dispute-amount"
        label={t('demands.toProvider')}
        text={amount}
        problem={isTooMuch ? t('demands.tooMuch', { most: formatFen(heldFen) }) : null}
        {...(providerFen === null || isTooMuch
          ? {}
          : { help: t('demands.rest', { owner: formatFen(heldFen - providerFen) }) })}
        onText={setAmount}
      />
      <WordsField
        id="dispute-reason"
        label={t('demands.reason')}
        help={t('demands.reasonHelp')}
        text={reason}
        maxLength={limits.wordsLength}
        isLong
        onText={setReason}
      />
    </DeedDialog>
  )
}

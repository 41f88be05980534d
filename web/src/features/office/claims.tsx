import { shop as limits } from '@neuroloom/contract/limits'
import type { OfficeClaim } from '@neuroloom/contract/shop/seller'
import { Button, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../lib/format.ts'
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

type State = OfficeClaim['state']
const looks = { open: 'asked', granted: 'done', refused: 'failed' } as const satisfies Record<State, string>

/** What buyers ask back, first those that wait. */
export function Claims() {
  const { t } = useTranslation('office')
  const [state, setState] = useState<State | null>('open')
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useCall(
    'office/claims',
    { state, page },
    { quiet: true, keepPrevious: true },
  )
  // What was decided may have been the last of its page.
  if (data?.claims.length === 0 && page > 1 && !isPlaceholderData) setPage(page - 1)
  return (
    <>
      <div className={list.tools}>
        <Select<State | 'all'>
          aria-label={t('claims.which')}
          value={state ?? 'all'}
          onChange={(chosen) => {
            setState(chosen === 'all' ? null : chosen)
            setPage(1)
          }}
          options={[
            ...(['open', 'granted', 'refused'] as const).map((value) => ({
              value,
              label: t(`claims.states.${value}`),
            })),
            { value: 'all' as const, label: t('claims.all') },
          ]}
        />
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.claims.length === 0 && (
        <EmptyState
          title={t(state === 'open' ? 'claims.noneOpen' : 'claims.none')}
          text={t('claims.emptyText')}
        />
      )}
      <ul className={styles.cards} aria-label={t('claims.title')}>
        {data?.claims.map((claim) => (
          <li key={claim.id}>
            <ClaimCard claim={claim} />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
    </>
  )
}

function ClaimCard({ claim }: { claim: OfficeClaim }) {
  const { t } = useTranslation('office')
  const title = useId()
  const [decision, setDecision] = useState<'granted' | 'refused' | null>(null)
  const { sale, listing, state, check, isOwn } = claim
  const amount =
    sale.unit === 'fen' ? formatFen(sale.amount) : t('claims.points', { points: formatNumber(sale.amount) })
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{t(`claims.grounds.${claim.ground}`)}</h2>
        <span className={styles.price}>{amount}</span>
        <span className={styles.spring} />
        <StateMark state={looks[state]} text={t(`claims.states.${state}`)} />
      </header>
      {claim.text !== '' && <p>{claim.text}</p>}
      <Facts
        facts={[
          [t('claims.model'), `${listing.name} · ${listing.version}`],
          [t('claims.buyer'), claim.buyerAccount],
          [t('claims.seller'), claim.sellerAccount],
          [t('claims.order'), sale.orderNo],
          [t('claims.bought'), formatDate(sale.at, 'minute')],
          [t('claims.at'), formatDate(claim.at, 'minute')],
          [t('claims.uses'), formatNumber(claim.uses)],
          [t('claims.check'), check === null ? null : t(`claims.checks.${check}`)],
          [t('claims.reason'), claim.reason],
        ]}
      />
      {state === 'open' && isOwn && <p className={styles.help}>{t('claims.own')}</p>}
      {state === 'open' && !isOwn && (
        <div className={styles.actions}>
          <Button type="primary" onClick={() => setDecision('granted')}>
            {t('claims.grant')}
          </Button>
          <Button danger onClick={() => setDecision('refused')}>
            {t('claims.refuse')}
          </Button>
        </div>
      )}
      {decision && <DecisionDialog claim={claim} decision={decision} onClose={() => setDecision(null)} />}
    </article>
  )
}

type DecisionProps = { claim: OfficeClaim; decision: 'granted' | 'refused'; onClose: () => void }

function DecisionDialog({ claim, decision, onClose }: DecisionProps) {
  const { t } = useTranslation('office')
  const [reason, setReason] = useState('')
  const decide = useAction('office/claim', {
    refresh: ['office/claims', 'office/orders'],
    quiet: true,
    onDone: () => toast.success(t('claims.done')),
  })
  const name = decision === 'granted' ? 'grant' : 'refuse'
  return (
    <DeedDialog
      title={t(`claims.${name}`)}
      text={t(`claims.${name}Text`)}
      saveLabel={t(`claims.${name}`)}
      isDanger={decision === 'refused'}
      isDisabled={reason.trim() === ''}
      error={decide.error}
      onSave={() => decide.mutateAsync({ id: claim.id, decision, reason: reason.trim() })}
      onClose={onClose}
    >
      <WordsField
        id="claim-reason"
        label={t('claims.reason')}
        help={t('claims.reasonHelp')}
        text={reason}
        maxLength={limits.claimLength}
        isLong
        onText={setReason}
      />
    </DeedDialog>
  )
}

import { Alert, Button, Modal } from 'antd'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { messageOf } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { levelName } from '../../lib/level-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './upgrade.module.css'
import { UpgradeHindrance } from './upgrade-hindrance.tsx'
import { InvoiceFields } from './upgrade-invoice.tsx'
import { MethodChoice } from './upgrade-method.tsx'
import { PlanCards } from './upgrade-plans.tsx'
import { UpgradeSum } from './upgrade-sum.tsx'
import { type Payable, useUpgrade } from './use-upgrade.ts'

export type AgreementProps = {
  id: string
  accepted: boolean
  problem: string | null
  onChange: (accepted: boolean) => void
}

type UpgradeChoiceProps = {
  /** The checkbox by which the user agreement is accepted; it belongs to the accounts. */
  Agreement: ComponentType<AgreementProps>
  onOrdered: (order: Payable) => void
  /** It is given already: nothing was to be paid. */
  onGiven: () => void
  onClose: () => void
}

/** One page from the plans to the button: what stands in the way is said when it is pressed. */
export function UpgradeChoice({ Agreement, onOrdered, onGiven, onClose }: UpgradeChoiceProps) {
  const { t } = useTranslation(['membership', 'levels', 'common'])
  const upgrade = useUpgrade({ onOrdered, onGiven })
  const { query, data, offer, method, invoice, isAgreed, hindrance, order } = upgrade
  if (query.error) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!data || !offer) return <Loading shape="cards" count={3} />
  const isPaid = offer.kind === 'new' || offer.kind === 'upgrade' || offer.kind === 'renewal'
  const isClosed = isPaid && offer.payFen > 0 && method === undefined
  const level = t(`levels:${levelName(offer.level)}`)
  return (
    <div className={styles.choice}>
      {data.isTrial && <p className={styles.trial}>{t('upgrade.trial')}</p>}
      <PlanCards offers={data.offers} chosen={offer.id} onChoose={upgrade.choose} />
      {isPaid && <UpgradeSum offer={offer} />}
      {isPaid && offer.payFen > 0 && !isClosed && (
        <>
          <MethodChoice methods={data.methods} chosen={method} onChoose={upgrade.setMethod} />
          <InvoiceFields draft={invoice} isChecked={hindrance === 'invoice'} onChange={upgrade.setInvoice} />
        </>
      )}
      {isClosed && (
        <Alert
          type="info"
          showIcon
          title={t('upgrade.closed')}
          description={<Link to="/concat">{t('upgrade.contact')}</Link>}
        />
      )}
      {isPaid && !isClosed && (
        <Agreement
          id="upgrade-agreement"
          accepted={isAgreed}
          problem={hindrance === 'agreement' ? t('upgrade.hindrance.agreement') : null}
          onChange={upgrade.setAgreed}
        />
      )}
      {hindrance && hindrance !== 'agreement' && <UpgradeHindrance hindrance={hindrance} onClose={onClose} />}
      {order.error && <Alert type="error" showIcon title={messageOf(order.error)} />}
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('common:cancel')}</Button>
        <Button type="primary" loading={upgrade.isBusy} disabled={isClosed} onClick={upgrade.handlePay}>
          {t(`upgrade.go.${buttonOf(offer)}`, { amount: formatFen(offer.payFen), level })}
        </Button>
      </div>
      <Modal
        open={upgrade.isAsking}
        centered
        width={440}
        title={t('upgrade.renewTitle', { count: offer.number, level })}
        okText={t('upgrade.renew')}
        cancelText={t('common:cancel')}
        onOk={upgrade.send}
        onCancel={upgrade.stopAsking}
      >
        <p>
          {offer.until === null
            ? t('upgrade.renewForEver')
            : t('upgrade.renewText', { until: formatDate(offer.until, 'day') })}
        </p>
      </Modal>
    </div>
  )
}

/** What the button says. */
function buttonOf({ kind, payFen }: { kind: string; payFen: number }): 'pay' | 'take' | 'free' {
  if (kind === 'free' || kind === 'held') return 'free'
  return payFen > 0 ? 'pay' : 'take'
}

import type { Demand } from '@neuroloom/contract/market/demand'
import { partsOf, shareOfRelease } from '@neuroloom/contract/market/parts'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatFen } from '../../lib/format-money.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import { DeliverDialog } from './deliver-dialog.tsx'
import type { FilePicker } from './file-field.tsx'
import styles from './market.module.css'
import { OfferDialog } from './offer-dialog.tsx'
import { type SaidDeed, SayDialog } from './say-dialog.tsx'

type Props = { demand: Demand; isProvider: boolean; Picker: FilePicker }
type Open = 'offer' | 'withdraw' | 'remove' | 'deliver' | 'accept' | SaidDeed

/** What the reader can do now; what is not possible is not shown. */
export function DemandActions({ demand, isProvider, Picker }: Props) {
  const { t } = useTranslation('market')
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const { id, may, isOwn, hasOffered, offerList, work, state } = demand
  const mayOffer = isProvider && may.includes('offer')
  const part = work?.offer.milestones[work.accepted]?.title ?? null
  return (
    <div className={styles.actions}>
      <p className={styles.help}>{t(hintOf(demand, isProvider))}</p>
      {may.includes('accept') && (
        <Button type="primary" onClick={() => setOpen('accept')}>
          {t('do.accept')}
        </Button>
      )}
      {may.includes('send_back') && <Button onClick={() => setOpen('sendBack')}>{t('do.sendBack')}</Button>}
      {may.includes('deliver') && (
        <Button type="primary" onClick={() => setOpen('deliver')}>
          {t('do.deliver')}
        </Button>
      )}
      {mayOffer && (
        <Button type={hasOffered ? 'default' : 'primary'} onClick={() => setOpen('offer')}>
          {t(hasOffered ? 'offer.change' : 'offer.make')}
        </Button>
      )}
      {mayOffer && hasOffered && <Button onClick={() => setOpen('remove')}>{t('offer.remove')}</Button>}
      {may.includes('edit') && <Link to={`/postDemand?id=${id}`}>{t('do.edit')}</Link>}
      {may.includes('withdraw') && <Button onClick={() => setOpen('withdraw')}>{t('do.withdraw')}</Button>}
      {may.includes('dispute') && (
        <Button danger onClick={() => setOpen('dispute')}>
          {t('do.dispute')}
        </Button>
      )}
      {may.includes('give_up') && (
        <Button danger type="text" onClick={() => setOpen('giveUp')}>
          {t('do.giveUp')}
        </Button>
      )}
      {open === 'offer' && (
        <OfferDialog demandId={id} before={isOwn ? undefined : offerList[0]} onClose={close} />
      )}
      {open === 'deliver' && <DeliverDialog id={id} part={part} Picker={Picker} onClose={close} />}
      {(open === 'sendBack' || open === 'dispute' || open === 'giveUp') && (
        <SayDialog id={id} deed={open} onClose={close} />
      )}
      {open === 'accept' && work && <AcceptDialog id={id} work={work} onClose={close} />}
      {(open === 'withdraw' || open === 'remove') && state === 'open' && (
        <EndDialog id={id} what={open} onClose={close} />
      )}
    </div>
  )
}

/** What happens next, in a sentence. */
function hintOf({ state, isOwn, work }: Demand, isProvider: boolean): string {
  if (isOwn) return `hint.${state}.owner`
  if (work?.isProvider) return `hint.${state}.provider`
  if (state !== 'open') return 'hint.over'
  return isProvider ? 'hint.open.bidder' : 'hint.open.reader'
}

/** A part of the held money is the provider's at once: that is said before. */
function AcceptDialog({
  id,
  work,
  onClose,
}: {
  id: string
  work: NonNullable<Demand['work']>
  onClose: () => void
}) {
  const { t } = useTranslation('market')
  const accept = useAction('demand/accept', {
    refresh: ['demand/detail', 'demand/list'],
    onDone: () => toast.success(t('accept.done')),
  })
  const waiting = work.deliveries.find(({ state }) => state === 'waiting')
  const amountFen = partsOf(work.offer)[work.accepted] ?? 0
  const { providerFen } = shareOfRelease(work.releasedFen, amountFen)
  return (
    <SaveDialog
      title={t('accept.title')}
      saveLabel={t('do.accept')}
      isDisabled={!waiting}
      onSave={async () => waiting && accept.mutateAsync({ id, deliveryId: waiting.id })}
      onClose={onClose}
    >
      <p>{t('accept.text', { amount: formatFen(amountFen), share: formatFen(providerFen) })}</p>
    </SaveDialog>
  )
}

function EndDialog({ id, what, onClose }: { id: string; what: 'withdraw' | 'remove'; onClose: () => void }) {
  const { t } = useTranslation('market')
  const refresh = ['demand/detail', 'demand/list'] as const
  const withdraw = useAction('demand/withdraw', { refresh, onDone: () => toast.success(t('withdraw.done')) })
  const remove = useAction('offer/remove', { refresh, onDone: () => toast.success(t('remove.done')) })
  return (
    <ConfirmRemove
      open
      title={t(`${what}.title`)}
      text={t(`${what}.text`)}
      confirmLabel={t(what === 'withdraw' ? 'do.withdraw' : 'offer.remove')}
      onConfirm={() =>
        what === 'withdraw' ? withdraw.mutateAsync({ id }) : remove.mutateAsync({ demandId: id })
      }
      onClose={onClose}
    />
  )
}

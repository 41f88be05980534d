import type { Partner } from '@neuroloom/contract/accounts/partners'
import { Button } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { Facts } from '../../ui/facts.tsx'
import { PartnerMembers } from './partner-members.tsx'
import type { GivenSecret } from './partner-secret.tsx'
import styles from './partners.module.css'

type Props = { partner: Partner; onSecret: (given: GivenSecret) => void }

export function PartnerCard({ partner, onSecret }: Props) {
  const { t } = useTranslation('partners')
  const { id, name, members, madeAt, usedAt } = partner
  const title = useId()
  const [open, setOpen] = useState<'members' | 'secret' | 'revoke' | null>(null)
  const close = () => setOpen(null)
  const renew = useAction('partners/secret', { refresh: ['partners/list'], onDone: onSecret })
  const revoke = useAction('partners/revoke', {
    refresh: ['partners/list'],
    onDone: () => toast.success(t('revoke.done', { name })),
  })
  return (
    <article className={styles.card} aria-labelledby={title}>
      <h2 id={title}>{name}</h2>
      <Facts
        facts={[
          [t('number'), <code key="id">{id}</code>],
          [t('members.count'), formatNumber(members)],
          [t('madeAt'), formatDate(madeAt, 'minute')],
          [t('usedAt'), usedAt === null ? t('never') : formatDate(usedAt, 'minute')],
        ]}
      />
      <div className={styles.actions}>
        <Button onClick={() => setOpen('members')}>{t('members.open')}</Button>
        <Button onClick={() => setOpen('secret')}>{t('secret.renew')}</Button>
        <Button danger onClick={() => setOpen('revoke')}>
          {t('revoke.open')}
        </Button>
      </div>
      {open === 'members' && <PartnerMembers partner={partner} onClose={close} />}
      <ConfirmRemove
        open={open === 'secret'}
        title={t('secret.ask', { name })}
        text={t('secret.text')}
        confirmLabel={t('secret.confirm')}
        onConfirm={() => renew.mutateAsync({ id })}
        onClose={close}
      />
      <ConfirmRemove
        open={open === 'revoke'}
        title={t('revoke.ask', { name })}
        text={t('revoke.text')}
        confirmLabel={t('revoke.confirm')}
        onConfirm={() => revoke.mutateAsync({ id })}
        onClose={close}
      />
    </article>
  )
}

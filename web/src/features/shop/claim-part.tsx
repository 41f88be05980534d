import { shop as limits } from '@neuroloom/contract/limits'
import type { Listing } from '@neuroloom/contract/shop/listing'
import { type ClaimGround, claimGrounds } from '@neuroloom/contract/shop/words'
import { Alert, Button, Input, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import styles from './shop.module.css'

type Sale = NonNullable<Listing['mine']['sale']>

/** How the own purchase stands, and giving it back within seven days. */
export function ClaimPart({ sale }: { sale: Sale }) {
  const { t } = useTranslation('shop')
  const [isOpen, setOpen] = useState(false)
  const { claim, state, refundUntil } = sale
  if (state === 'returning' || state === 'refunded')
    return <Alert type="info" showIcon title={t(`claim.${state}`)} />
  if (claim)
    return (
      <Alert
        type={claim.state === 'open' ? 'warning' : 'info'}
        showIcon
        title={t(`claim.state.${claim.state}`, { ground: t(`ground.${claim.ground}.name`) })}
        description={claim.reason === '' ? t(`claim.byRule.${claim.state}`) : claim.reason}
      />
    )
  if (state !== 'held') return null
  return (
    <>
      <Button type="text" onClick={() => setOpen(true)}>
        {t('claim.until', { date: formatDate(refundUntil, 'minute') })}
      </Button>
      {isOpen && <ClaimDialog sale={sale} onClose={() => setOpen(false)} />}
    </>
  )
}

function ClaimDialog({ sale, onClose }: { sale: Sale; onClose: () => void }) {
  const { t } = useTranslation('shop')
  const [ground, setGround] = useState<ClaimGround | null>(null)
  const [text, setText] = useState('')
  const needsWords = ground !== null && ground !== 'by_mistake' && ground !== 'not_as_described'
  const claim = useAction('shop/claim', {
    quiet: true,
    refresh: ['shop/detail', 'shop/list', 'shop/held', 'payment/orders', 'points/list'],
    onDone: ({ state }) => toast.success(t(state === 'granted' ? 'claim.granted' : 'claim.sent')),
  })
  return (
    <SaveDialog
      width={560}
      title={t('claim.title')}
      saveLabel={t('claim.send')}
      isDisabled={ground === null || (needsWords && text.trim() === '')}
      onSave={async () =>
        ground !== null && claim.mutateAsync({ orderNo: sale.orderNo, ground, text: text.trim() })
      }
      onClose={onClose}
    >
      <div className={styles.form}>
        <Radio.Group
          className={styles.radio ?? ''}
          aria-label={t('claim.ground')}
          value={ground}
          onChange={({ target }) => setGround(target.value)}
          options={claimGrounds.map((value) => ({
            value,
            label: (
              <>
                <strong>{t(`ground.${value}.name`)}</strong>
                <br />
                <span className={styles.help}>{t(`ground.${value}.about`)}</span>
              </>
            ),
          }))}
        />
        <Input.TextArea
          aria-label={t('claim.words')}
          placeholder={t('claim.words')}
          maxLength={limits.claimLength}
          autoSize={{ minRows: 3, maxRows: 8 }}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {claim.error && (
          <p role="alert" className={styles.problem}>
            {messageOf(claim.error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}

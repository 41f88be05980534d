import type { CustomPrice } from '@neuroloom/contract/custom/task-calls'
import { parseYuan } from '@neuroloom/contract/membership/money'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFen } from '../../lib/format-money.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { Facts } from '../../ui/facts.tsx'
import { DeedDialog } from './deed-dialog.tsx'
import styles from './office.module.css'
import { YuanField } from './yuan-field.tsx'

const FEN_A_YUAN = 100

/** What each kind of task costs, and changing it. */
export function CustomPrices() {
  const { t } = useTranslation('custom-office')
  const { data } = useCall('customTask/prices', {}, { quiet: true })
  const [editing, setEditing] = useState<CustomPrice | null>(null)
  if (!data) return null
  return (
    <>
      <Facts
        facts={data.prices.map((price) => [
          t(`kinds.${price.kind}`),
          <span key={price.kind} className={styles.actions}>
            {price.priceFen === null ? t('price.byReview') : formatFen(price.priceFen)}
            <Button
              size="small"
              aria-label={t('price.editOf', { kind: t(`kinds.${price.kind}`) })}
              onClick={() => setEditing(price)}
            >
              {t('price.edit')}
            </Button>
          </span>,
        ])}
      />
      {editing && <PriceDialog price={editing} onClose={() => setEditing(null)} />}
    </>
  )
}

function PriceDialog({ price: { kind, priceFen }, onClose }: { price: CustomPrice; onClose: () => void }) {
  const { t } = useTranslation('custom-office')
  const [amount, setAmount] = useState(priceFen === null ? '' : String(priceFen / FEN_A_YUAN))
  const isOpen = amount.trim() === ''
  const parsed = parseYuan(amount)
  const save = useAction('office/customPrice', {
    refresh: ['customTask/prices'],
    quiet: true,
    onDone: () => toast.success(t('price.saved')),
  })
  return (
    <DeedDialog
      title={t('price.editOf', { kind: t(`kinds.${kind}`) })}
      text={t('price.text')}
      saveLabel={t('price.save')}
      isDisabled={!isOpen && parsed === null}
      error={save.error}
      onSave={() => save.mutateAsync({ kind, priceFen: isOpen ? null : parsed })}
      onClose={onClose}
    >
      <YuanField
        id="fixed-price"
        label={t('fact.price')}
        text={amount}
        help={t('price.help')}
        onText={setAmount}
      />
    </DeedDialog>
  )
}

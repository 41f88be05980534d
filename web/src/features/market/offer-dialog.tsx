import { DeleteOutlined } from '@ant-design/icons'
import { market as limits } from '@neuroloom/contract/limits'
import type { Offer } from '@neuroloom/contract/market/demand'
import { feeOf, parseYuan, yuanText } from '@neuroloom/contract/membership/money'
import { Button, Input, InputNumber } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { formatFen } from '../../lib/format-money.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import styles from './market.module.css'
import { MoneyField, priceOf } from './money-field.tsx'
import { WordsField } from './words-field.tsx'

type Props = { demandId: string; before: Offer | undefined; onClose: () => void }
type Part = { key: number; title: string; price: string }

/** What a provider would do the work for, in which time; all at once or milestone by milestone. */
export function OfferDialog({ demandId, before, onClose }: Props) {
  const { t } = useTranslation('market')
  const [price, setPrice] = useState(before ? yuanText(before.priceFen) : '')
  const [days, setDays] = useState<number | null>(before?.days ?? 14)
  const [text, setText] = useState(before?.text ?? '')
  const [parts, setParts] = useState<Part[]>(
    () =>
      before?.milestones.map(({ title, priceFen }, key) => ({ key, title, price: yuanText(priceFen) })) ?? [],
  )
  const save = useAction('offer/save', {
    quiet: true,
    refresh: ['demand/detail', 'demand/list'],
    onDone: () => toast.success(t('offer.saved')),
  })
  const priceFen = priceOf(price)
  const milestones = parts.map((part) => ({ title: part.title.trim(), priceFen: parseYuan(part.price) ?? 0 }))
  const sum = milestones.reduce((total, part) => total + part.priceFen, 0)
  const isDivided = parts.length > 0
  const isComplete = milestones.every((part) => part.title !== '' && part.priceFen > 0)
  const isSum = !isDivided || sum === priceFen
  const isReady = priceFen !== null && days !== null && text.trim() !== '' && isComplete && isSum
  return (
    <SaveDialog
      width={600}
      title={t(before ? 'offer.change' : 'offer.make')}
      saveLabel={t('offer.send')}
      isDisabled={!isReady}
      onSave={async () =>
        priceFen !== null &&
        days !== null &&
        save.mutateAsync({ demandId, priceFen, days, text: text.trim(), milestones })
      }
      onClose={onClose}
    >
      <div className={styles.form}>
        <div className={styles.pair}>
          <MoneyField
            id="offer-price"
            label={t('offer.price')}
            help={priceFen === null ? '' : t('offer.share', shareOf(priceFen))}
            text={price}
            onText={setPrice}
          />
          <div className={styles.field}>
            <label htmlFor="offer-days">{t('offer.days')}</label>
            <InputNumber<number>
              id="offer-days"
              min={1}
              max={limits.mostDays}
              precision={0}
              value={days}
              onChange={setDays}
            />
            <p className={styles.help}>{t('offer.daysHelp')}</p>
          </div>
        </div>
        <WordsField
          id="offer-text"
          label={t('offer.text')}
          help={t('offer.textHelp')}
          text={text}
          maxLength={limits.wordsLength}
          rows={4}
          onText={setText}
        />
        <Parts parts={parts} onChange={setParts} />
        {isDivided && isComplete && !isSum && (
          <p role="alert" className={styles.problem}>
            {t('offer.sum', { sum: formatFen(sum) })}
          </p>
        )}
        {save.error && (
          <p role="alert" className={styles.problem}>
            {messageOf(save.error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}

const shareOf = (priceFen: number) => ({
  share: formatFen(priceFen - feeOf(priceFen)),
  fee: formatFen(feeOf(priceFen)),
})

function Parts({ parts, onChange }: { parts: readonly Part[]; onChange: (parts: Part[]) => void }) {
  const { t } = useTranslation('market')
  const set = (key: number, changes: Partial<Part>) =>
    onChange(parts.map((part) => (part.key === key ? { ...part, ...changes } : part)))
  const next = Math.max(-1, ...parts.map(({ key }) => key)) + 1
  return (
    <fieldset className={styles.field}>
      <legend className={styles.label}>{t('milestones')}</legend>
      <p className={styles.help}>{t('offer.milestonesHelp')}</p>
      {parts.map(({ key, title, price }, place) => (
        <div key={key} className={styles.part}>
          <Input
            aria-label={t('offer.partTitle', { number: place + 1 })}
            placeholder={t('offer.partTitle', { number: place + 1 })}
            maxLength={limits.milestoneLength}
            value={title}
            onChange={({ target }) => set(key, { title: target.value })}
          />
          <Input
            aria-label={t('offer.partPrice', { number: place + 1 })}
            inputMode="decimal"
            autoComplete="off"
            maxLength={30}
            suffix={t('money.unit')}
            value={price}
            onChange={({ target }) => set(key, { price: target.value })}
          />
          <Button
            type="text"
            icon={<DeleteOutlined aria-hidden />}
            aria-label={t('offer.partRemove', { number: place + 1 })}
            onClick={() => onChange(parts.filter((part) => part.key !== key))}
          />
        </div>
      ))}
      <div>
        <Button
          disabled={parts.length >= limits.milestones}
          onClick={() => onChange([...parts, { key: next, title: '', price: '' }])}
        >
          {t('offer.addPart')}
        </Button>
      </div>
    </fieldset>
  )
}

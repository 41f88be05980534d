import { SearchOutlined } from '@ant-design/icons'
import { type CardKind, cardKinds } from '@neuroloom/contract/social/attachment-kinds'
import type { OpenedCard } from '@neuroloom/contract/social/attachments'
import { Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useSettled } from '../../../ui/hooks/use-settled.ts'
import { Loading } from '../../../ui/loading.tsx'
import styles from './attachments.module.css'
import { cardName } from './card.tsx'

type Props = {
  of: CardKind
  onPick: (card: OpenedCard) => void
  onClose: () => void
}

/** Chooses one thing of one kind to be sent as a card. */
export function CardPicker({ of: first, onPick, onClose }: Props) {
  const { t } = useTranslation(['social-attachments', 'runs', 'common'])
  const [of, setOf] = useState(first)
  const [typed, setTyped] = useState('')
  const text = useSettled(typed.trim())
  const query = useCall('social/ownCards', { of, text }, { quiet: true, keepPrevious: true })
  const { data, error, refetch } = query
  const cards = data?.cards.filter((card) => card.of === of)
  return (
    <Modal open centered width={560} title={t('picker.title')} footer={null} onCancel={onClose}>
      <div className={styles.picker}>
        <div className={styles.pickerTools}>
          <Select<CardKind>
            aria-label={t('picker.kind')}
            value={of}
            onChange={setOf}
            options={cardKinds.map((value) => ({ value, label: t(`of.${value}`) }))}
          />
          <Input
            allowClear
            type="search"
            prefix={<SearchOutlined aria-hidden />}
            placeholder={t('picker.search')}
            aria-label={t('picker.search')}
            maxLength={100}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <p className={styles.hint}>{t('picker.hint')}</p>
        {!cards && error && <ErrorState error={error} retry={() => void refetch()} />}
        {!cards && !error && <Loading shape="rows" count={3} />}
        {cards?.length === 0 && <p className={styles.hint}>{t('picker.none')}</p>}
        <ul className={styles.pickerList} aria-label={t(`of.${of}`)}>
          {cards?.map((card) => (
            <li key={card.id}>
              <button type="button" className={styles.pick} onClick={() => onPick(card)}>
                <strong>{cardName(card, t)}</strong>
                <span className={styles.soft}>
                  {[card.project, card.dataset].filter(Boolean).join(' · ')}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Modal>
  )
}

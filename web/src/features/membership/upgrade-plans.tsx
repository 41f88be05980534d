import { type PlanTable, planLimits } from '@neuroloom/contract/limits'
import type { Offer } from '@neuroloom/contract/membership/vip'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { currentLanguage } from '../../lib/i18n.ts'
import { levelName } from '../../lib/level-names.ts'
import { useCall } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'
import styles from './upgrade.module.css'

type PlanCardsProps = {
  offers: readonly Offer[]
  chosen: number
  onChoose: (id: number) => void
}

/** The plans beside each other; what each includes is counted from the limits that the product keeps. */
export function PlanCards({ offers, chosen, onChoose }: PlanCardsProps) {
  const { t } = useTranslation('membership')
  // The operator's own numbers, where they are others.
  const { data } = useCall('plans/limits', {}, { quiet: true })
  const table = data && data.levels.length !== 0 ? data.levels : undefined
  return (
    <fieldset className={styles.plans}>
      <legend className="nl-hidden">{t('upgrade.plans')}</legend>
      {offers.map((offer) => (
        <PlanCard
          key={offer.id}
          offer={offer}
          table={table}
          isChosen={offer.id === chosen}
          onChoose={onChoose}
        />
      ))}
    </fieldset>
  )
}

const includes = ['storageBytes', 'projects', 'trainedModels', 'sharedModels', 'recycleDays'] as const

type PlanCardProps = {
  offer: Offer
  table: PlanTable | undefined
  isChosen: boolean
  onChoose: (id: number) => void
}

function PlanCard({ offer, table, isChosen, onChoose }: PlanCardProps) {
  const { t } = useTranslation(['membership', 'levels'])
  const { id, level, priceFen, number } = offer
  const held = useUser()
  const isHeld = held !== null && held.vipSuper === 0 && held.vipLevel === level
  const limits = planLimits({ vipLevel: level, vipSuper: 0 }, table)
  const note = offer.notes[currentLanguage()]
  const shown = (name: (typeof includes)[number]): string => {
    const value = limits[name]
    if (value === null) return t('upgrade.includes.unlimited')
    return name === 'storageBytes' ? formatBytes(value) : formatNumber(value)
  }
  return (
    <label className={styles.plan} data-chosen={isChosen}>
      <input
        type="radio"
        name="plan"
        className="nl-hidden"
        checked={isChosen}
        onChange={() => onChoose(id)}
      />
      <span className={styles.planHead}>
        <strong>{t(`levels:${levelName(level)}`)}</strong>
        {isHeld && <span className={styles.tag}>{t('upgrade.current')}</span>}
      </span>
      <span className={styles.price}>{priceFen === 0 ? t('upgrade.noPrice') : formatFen(priceFen)}</span>
      <span className={styles.term}>{level === 1 ? t('upgrade.byForm') : termOf(number)}</span>
      <span className={styles.includes}>
        {includes.map((name) => (
          <span key={name}>
            <span>{t(`upgrade.includes.${name}`)}</span> <b>{shown(name)}</b>
          </span>
        ))}
      </span>
      {note !== '' && <span className={styles.term}>{note}</span>}
    </label>
  )

  function termOf(years: number): string {
    return years === 0 ? t('upgrade.forEver') : t('upgrade.years', { count: years })
  }
}

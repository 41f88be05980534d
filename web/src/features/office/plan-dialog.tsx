import { membership as limits } from '@neuroloom/contract/limits'
import { parseYuan, yuanText } from '@neuroloom/contract/membership/money'
import type { Plan } from '@neuroloom/contract/membership/vip'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languageNames, languages } from '../../lib/language.ts'
import { levelName } from '../../lib/level-names.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { NumberField } from '../../ui/number-field.tsx'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import styles from './office.module.css'
import { WordsField } from './words-field.tsx'
import { YuanField } from './yuan-field.tsx'

/** The plan that everybody has who filled in the form. */
const FREE = 1

/** What a plan costs, for how long it is, and what is said of it. */
export function PlanDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { t } = useTranslation(['office', 'levels'])
  const [price, setPrice] = useState(yuanText(plan.priceFen))
  const [years, setYears] = useState<number | null>(plan.number)
  const [notes, setNotes] = useState(plan.notes)
  const isFree = plan.id === FREE
  const priceFen = isFree ? 0 : parseYuan(price)
  const level = t(`levels:${levelName(plan.level)}`)
  const save = useAction('office/savePlan', {
    refresh: ['office/plans', 'vip/list', 'vip/offers'],
    onDone: () => toast.success(t('plans.saved', { level })),
  })
  const isWhole = years !== null && Number.isInteger(years) && years >= 0 && years <= limits.mostYears
  const handleSave = async () => {
    if (priceFen !== null && years !== null)
      await save.mutateAsync({ id: plan.id, priceFen, number: years, notes })
  }
  return (
    <SaveDialog
      title={t('plans.planOf', { level })}
      width={560}
      isDisabled={priceFen === null || !isWhole}
      onSave={handleSave}
      onClose={onClose}
    >
      <div className={styles.form}>
        {isFree ? (
          <p className={styles.help}>{t('plans.staysFree')}</p>
        ) : (
          <YuanField
            id="plan-price"
            label={t('plans.price')}
            text={price}
            help={priceFen === 0 ? t('plans.costsNothing') : t('yuan.help')}
            onText={setPrice}
          />
        )}
        <label htmlFor="plan-years">{t('plans.years')}</label>
        <NumberField
          id="plan-years"
          min={0}
          max={limits.mostYears}
          precision={0}
          value={years}
          aria-describedby="plan-years-help"
          onChange={setYears}
        />
        <p id="plan-years-help" className={styles.help}>
          {t('plans.yearsHelp', { most: limits.mostYears })}
        </p>
        {languages.map((language) => (
          <WordsField
            key={language}
            id={`plan-note-${language}`}
            label={t('plans.noteIn', { language: languageNames[language] })}
            text={notes[language]}
            maxLength={limits.noteLength}
            isLong
            onText={(text) => setNotes({ ...notes, [language]: text })}
          />
        ))}
        <p className={styles.help}>{t('plans.waitingKeep')}</p>
      </div>
    </SaveDialog>
  )
}

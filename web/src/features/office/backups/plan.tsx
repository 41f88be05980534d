import { backups as limits } from '@neuroloom/contract/limits'
import { type BackupPlan, backupPeriods } from '@neuroloom/contract/office/operations'
import { Button, InputNumber, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import styles from './backups.module.css'

/** When backups are made by themselves, and how many stay. */
export function Plan({ plan }: { plan: BackupPlan }) {
  const { t } = useTranslation('operations')
  const id = useId()
  const [wish, setWish] = useState(plan)
  const save = useAction('office/backupPlan', {
    refresh: ['office/backups'],
    onDone: () => toast.success(t('backups.planSaved')),
  })
  const isChanged = wish.every !== plan.every || wish.hour !== plan.hour || wish.keep !== plan.keep
  return (
    <section className={styles.plan} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('backups.plan')}</h2>
      <div className={styles.fields}>
        <div>
          <label htmlFor={`${id}-every`}>{t('backups.every')}</label>
          <Select<BackupPlan['every']>
            id={`${id}-every`}
            value={wish.every}
            onChange={(every) => setWish({ ...wish, every })}
            options={backupPeriods.map((value) => ({ value, label: t(`backups.period.${value}`) }))}
          />
        </div>
        <div>
          <label htmlFor={`${id}-hour`}>{t('backups.hour')}</label>
          <InputNumber
            id={`${id}-hour`}
            min={0}
            max={23}
            precision={0}
            disabled={wish.every === 'never'}
            value={wish.hour}
            onChange={(hour) => hour !== null && setWish({ ...wish, hour })}
          />
        </div>
        <div>
          <label htmlFor={`${id}-keep`}>{t('backups.keep')}</label>
          <InputNumber
            id={`${id}-keep`}
            min={1}
            max={limits.mostKept}
            precision={0}
            value={wish.keep}
            onChange={(keep) => keep !== null && setWish({ ...wish, keep })}
          />
        </div>
        <Button disabled={!isChanged} loading={save.isPending} onClick={() => save.mutate(wish)}>
          {t('backups.save')}
        </Button>
      </div>
      <p className={styles.help}>
        {wish.every !== 'never' && `${t('backups.hourHere', { utc: wish.hour, here: hereAt(wish.hour) })} `}
        {t('backups.planHelp')}
      </p>
    </section>
  )
}

/** The hour of the plan by the clock of whoever reads. */
const hereAt = (hour: number): string => formatDate(new Date().setUTCHours(hour, 0), 'time')

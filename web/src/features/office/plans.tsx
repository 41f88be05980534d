import type { Answer } from '@neuroloom/contract/calls'
import type { Plan } from '@neuroloom/contract/membership/vip'
import { Alert, Button } from 'antd'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFen } from '../../lib/format-money.ts'
import { currentTag } from '../../lib/i18n.ts'
import { languageNames, languages, languageTags } from '../../lib/language.ts'
import { levelName } from '../../lib/level-names.ts'
import { useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './office.module.css'

const PlanDialog = lazyPart(async () => (await import('./plan-dialog.tsx')).PlanDialog, { over: true })

/** What is sold here, for how much, and how it can be paid. */
export function Plans() {
  const { t } = useTranslation('office')
  const { data, error, refetch } = useCall('office/plans', {}, { quiet: true })
  const [edited, setEdited] = useState<Plan | null>(null)
  if (!data)
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape="cards" />
  return (
    <>
      <PaymentMethods methods={data.methods} />
      <ul className={styles.cards} aria-label={t('plans.title')}>
        {data.plans.map((plan) => (
          <li key={plan.id}>
            <PlanCard plan={plan} onEdit={() => setEdited(plan)} />
          </li>
        ))}
      </ul>
      <p className={styles.help}>{t('plans.waitingKeep')}</p>
      <Suspense>{edited && <PlanDialog plan={edited} onClose={() => setEdited(null)} />}</Suspense>
    </>
  )
}

function PaymentMethods({ methods }: Pick<Answer<'office/plans'>, 'methods'>) {
  const { t } = useTranslation('office')
  const names = new Intl.ListFormat(currentTag()).format(methods.map((one) => t(`method.${one}`)))
  if (methods.length === 0)
    return <Alert type="warning" showIcon title={t('plans.noMethods')} description={t('plans.setUp')} />
  return (
    <>
      <Alert type="info" showIcon title={t('plans.methods', { methods: names })} />
      <p className={`${styles.help} ${styles.below}`}>{t('plans.setUp')}</p>
    </>
  )
}

function PlanCard({ plan, onEdit }: { plan: Plan; onEdit: () => void }) {
  const { t } = useTranslation(['office', 'levels'])
  const title = useId()
  const level = t(`levels:${levelName(plan.level)}`)
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{level}</h2>
        <span className={styles.price}>
          {plan.priceFen === 0 ? t('plans.free') : formatFen(plan.priceFen)}
        </span>
        <span>{plan.number === 0 ? t('years.endless') : t('years.for', { count: plan.number })}</span>
        <span className={styles.spring} />
        <Button onClick={onEdit} aria-label={t('plans.editOf', { level })}>
          {t('plans.edit')}
        </Button>
      </header>
      <Facts facts={languages.map((language) => [languageNames[language], noteOf(plan, language)])} />
    </article>
  )
}

/** Left out where the operator says nothing. */
const noteOf = ({ notes }: Plan, language: (typeof languages)[number]): ReactNode =>
  notes[language] === '' ? '' : <span lang={languageTags[language]}>{notes[language]}</span>

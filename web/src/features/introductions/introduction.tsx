import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'
import styles from './introduction.module.css'
import { digits, type IntroducedModule } from './modules.ts'

/** What a module is for, in three steps, until the member puts it away. */
export function Introduction({ module }: { module: IntroducedModule }) {
  const { t } = useTranslation('introductions')
  const userId = useUser()?.id ?? ''
  const { data } = useCall('user/info', { userId }, { quiet: true, staleTime: Number.POSITIVE_INFINITY })
  const dismiss = useAction('user/edit', { refresh: ['user/info'] })
  const flag = `introduced${digits[module]}`
  const isShown = data?.showIntroduce.includes(digits[module]) && sessionStorage.getItem(flag) === null
  if (!data || !isShown) return null
  const putAway = () => {
    sessionStorage.setItem(flag, '1')
    dismiss.mutate({ userId, showIntroduce: data.showIntroduce.replace(digits[module], '') })
  }
  return (
    <section className={styles.introduction} aria-labelledby={`introduction-${module}`}>
      <h2 id={`introduction-${module}`}>{t(`${module}.title`)}</h2>
      <ol className={styles.steps}>
        {(['first', 'second', 'third'] as const).map((step) => (
          <li key={step}>{t(`${module}.${step}`)}</li>
        ))}
      </ol>
      <Button loading={dismiss.isPending} onClick={putAway}>
        {t('dismiss')}
      </Button>
    </section>
  )
}

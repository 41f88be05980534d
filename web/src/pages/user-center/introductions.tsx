import { Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { digits } from '../../features/introductions/modules.ts'
import { useHasCommunity } from '../../features/social/community.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from '../user-center.module.css'

const modules = ['project', 'cloud', 'toolbox'] as const

/** Which modules greet with their introduction; one that was put away can be shown again. */
export function ShownIntroductions() {
  const { t } = useTranslation('account')
  const user = useUser()
  const hasCommunity = useHasCommunity()
  const body = user === null ? {} : { userId: user.id }
  const { data, error, refetch } = useCall('user/info', body, { quiet: true })
  const save = useAction('user/edit', { refresh: ['user/info'] })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const turn = (digit: string, isOn: boolean) => {
    const rest = [...data.showIntroduce].filter((one) => one !== digit)
    // Put away in this session no longer.
    if (isOn) sessionStorage.removeItem(`introduced${digit}`)
    save.mutate({ ...body, showIntroduce: (isOn ? [...rest, digit].sort() : rest).join('') })
  }
  return (
    <>
      <p className={styles.lead}>{t('introduction.text')}</p>
      {(hasCommunity ? ([...modules, 'social'] as const) : modules).map((module) => (
        <div key={module} className={styles.switch}>
          <span id={`introduction-${module}`}>{t(`introduction.${module}`)}</span>
          <Switch
            aria-labelledby={`introduction-${module}`}
            checked={data.showIntroduce.includes(digits[module])}
            loading={save.isPending}
            onChange={(isOn) => turn(digits[module], isOn)}
          />
        </div>
      ))}
    </>
  )
}

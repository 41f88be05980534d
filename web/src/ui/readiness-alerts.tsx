/** What stands in the way of a training and what is worth knowing before it; whether one may start is the page's affair. */
import type { Suggestion } from '@neuroloom/contract/runs'
import type { Task } from '@neuroloom/contract/task'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { useClassName, withClass } from '../lib/class-name.ts'
import { textParams } from '../lib/text-params.ts'

type Props = { suggestion: Pick<Suggestion, 'blockers' | 'cautions'>; task: Task }

export function ReadinessAlerts({ suggestion: { blockers, cautions }, task }: Props) {
  const { t } = useTranslation('runs')
  const classNameOf = useClassName(task)
  const unfit = useUnfit()
  return (
    <>
      {blockers.map(({ name, params }) => (
        <Alert
          key={name}
          type="error"
          showIcon
          title={t(`blocker.${name}.title`, { ...textParams(params), context: task })}
          description={
            name === 'network_unfit'
              ? unfit(params)
              : t(`blocker.${name}.text`, { ...textParams(params), context: task })
          }
        />
      ))}
      {cautions.map(({ name, params }) => (
        <Alert
          key={name}
          type="warning"
          showIcon
          title={t(`caution.${name}.title`, { ...textParams(withClass(params, classNameOf)), context: task })}
          description={t(`caution.${name}.text`, {
            ...textParams(withClass(params, classNameOf)),
            context: task,
          })}
        />
      ))}
    </>
  )
}

/** Why a network does not fit, by its first mistake: where it is, and what is wrong there. */
function useUnfit(): (params: Suggestion['blockers'][number]['params']) => string {
  const { t } = useTranslation(['runs', 'networks'])
  return ({ reason, ...params }) => {
    const standard = t('blocker.network_unfit.text')
    const own = t(`blocker.network_unfit.reason.${reason}`, { ...textParams(params), defaultValue: '' })
    if (own !== '') return own
    const text = t(`networks:graphError.${reason}`, { ...textParams(params), defaultValue: '' })
    if (text === '') return standard
    if (params.node === undefined) return text
    // `@image` is the path of the input `image`.
    const node = String(params.node).replace(/^@/, '')
    return t('blocker.network_unfit.reason.at', { node, text })
  }
}

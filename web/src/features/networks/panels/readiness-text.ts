import type { Suggestion } from '@neuroloom/contract/runs'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/format.ts'

type Blocker = Suggestion['blockers'][number]
type Caution = Suggestion['cautions'][number]
type Params = Blocker['params']

/** What stands in the way of a training and what is worth knowing, in the words of the AI builder. */
export function useReadiness(task: Task) {
  const { t } = useTranslation(['runs', 'networks', 'datasets'])
  const unfit = ({ reason, ...params }: Params): string => {
    const told = textParams(params)
    const own = t(`runs:blocker.network_unfit.reason.${reason}`, { ...told, defaultValue: '' })
    if (own !== '') return own
    const text = t(`networks:graphError.${reason}`, { ...told, defaultValue: '' })
    if (text === '') return t('runs:blocker.network_unfit.text')
    if (params.node === undefined) return text
    return t('runs:blocker.network_unfit.reason.at', { node: params.node, text })
  }
  /** Masks carry numbers, so the server names their classes in English. */
  const className = (name: string) =>
    task === 'segmentation' && (name === 'background' || name === 'foreground')
      ? t(`datasets:class.${name}`)
      : name
  return {
    blocker: ({ name, params }: Blocker) => ({
      title: t(`runs:blocker.${name}.title`, textParams(params)),
      description:
        name === 'network_unfit' ? unfit(params) : t(`runs:blocker.${name}.text`, textParams(params)),
    }),
    caution: ({ name, params }: Caution) => {
      const named = typeof params.class === 'string' ? { ...params, class: className(params.class) } : params
      return {
        title: t(`runs:caution.${name}.title`, textParams(named)),
        description: t(`runs:caution.${name}.text`, textParams(named)),
      }
    },
  }
}

/** Byte counts as sizes. */
function textParams(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' && name.endsWith('Bytes') ? formatBytes(value) : value,
    ]),
  )
}

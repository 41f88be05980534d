import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'

/** Masks carry numbers, so the server names their classes in English; folders are named by their owner. */
export function useClassName(task: Task): (name: string) => string {
  const { t } = useTranslation('datasets')
  return (name) => {
    if (task !== 'segmentation') return name
    if (name === 'background' || name === 'foreground') return t(`class.${name}`)
    const number = /^class (\d+)$/.exec(name)?.[1]
    return number === undefined ? name : t('class.numbered', { number })
  }
}

/** The same for the parameters of a sentence that speaks of a class. */
export function withClass<V>(
  params: Record<string, V>,
  classNameOf: (name: string) => string,
): Record<string, V | string> {
  return typeof params.class === 'string' ? { ...params, class: classNameOf(params.class) } : params
}

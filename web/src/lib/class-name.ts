/** Names of classes as people read them: masks carry numbers, so the server names theirs in English; others are named by their owner. */
import type { Task } from '@neuroloom/contract/task'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

/** Tasks whose classes stand in masks. */
const masked: ReadonlySet<Task> = new Set<Task>(['segmentation', 'volume_segmentation'])

/** A class that masks know. */
function maskClassName(name: string, t: TFunction<'datasets'>): string {
  if (name === 'background' || name === 'foreground') return t(`class.${name}`)
  const number = /^class (\d+)$/.exec(name)?.[1]
  return number === undefined ? name : t('class.numbered', { number })
}

export function useClassName(task: Task): (name: string) => string {
  const { t } = useTranslation('datasets')
  return (name) => (masked.has(task) ? maskClassName(name, t) : name)
}

/** The same for the parameters of a sentence that speaks of a class. */
export function withClass<V>(
  params: Record<string, V>,
  classNameOf: (name: string) => string,
): Record<string, V | string> {
  return typeof params.class === 'string' ? { ...params, class: classNameOf(params.class) } : params
}

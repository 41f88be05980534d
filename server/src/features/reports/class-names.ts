/** Names of classes as people read them: masks carry numbers, so the server names theirs in English; others are named by their owner. */
import type { Task } from '@neuroloom/contract/task'
import type { Words } from './words.ts'

/** Tasks whose classes stand in masks. */
const masked: ReadonlySet<Task> = new Set<Task>(['segmentation', 'volume_segmentation'])

/** Writes the name of a class of this task in the language of the report, as the pages do. */
export const classNames =
  (task: Task, words: Words) =>
  (name: string): string =>
    masked.has(task) ? maskClassName(name, words) : name

function maskClassName(name: string, words: Words): string {
  if (name === 'background' || name === 'foreground') return words.t(`class.${name}`)
  const number = /^class (\d+)$/.exec(name)?.[1]
  return number === undefined ? name : words.t('class.numbered', { number })
}

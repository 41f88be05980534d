/** Published layouts, rebuilt from their documented names. */
import { asFound, type Reading } from '@neuroloom/contract/reading/reading'
import type { Task } from '@neuroloom/contract/task'
import { recognise } from '../src/features/datasets/recognise/recognise.ts'
import type { Layout } from '../src/features/datasets/recognise/shapes.ts'
import { folderOf } from './dataset-texts.ts'

export const numbered = (count: number, name: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => name(index + 1))

export const table = (...lines: string[]): string => `${lines.join('\n')}\n`

export const findIn = (files: Record<string, string>, task: Task, reading: Reading = asFound) =>
  recognise(folderOf(files), task, reading)

export function labelsOf(found: Layout): Map<string, string[]> {
  if ('pairs' in found) return new Map()
  return new Map(
    found.items.map((item) => {
      if ('boxes' in item) return [item.path, item.boxes.map((box) => found.classes[box.class] ?? '')]
      const indexes = 'class' in item ? [item.class] : item.labels
      return [item.path, indexes.map((index) => found.classes[index] ?? '')]
    }),
  )
}

/** A set that is not made yet, and the classes in it. */
import { classColours, type LabelClass, type Mark } from '@neuroloom/contract/labelling/classes'
import type { Task } from '@neuroloom/contract/task'
import { newId } from '../journal/ids.ts'

export type Draft = {
  name: string
  description: string
  marks: Mark[]
  oneTag: boolean
  blind: boolean
  classes: LabelClass[]
}

/** What each task learns from; of images made better there are no marks. */
const marksFor: Record<Task, Mark[]> = {
  classification: ['tags'],
  multilabel: ['tags'],
  detection: ['boxes'],
  segmentation: ['pixels'],
  volume_segmentation: ['pixels'],
  super_resolution: ['pixels'],
  denoising: ['pixels'],
}

export const newDraft = (task: Task | null): Draft => ({
  name: '',
  description: '',
  marks: task === null ? ['pixels'] : marksFor[task],
  oneTag: task !== 'multilabel',
  blind: true,
  classes: [newClass([])],
})

/** With the next free colour and key. */
export function newClass(others: readonly LabelClass[], given: Partial<LabelClass> = {}): LabelClass {
  const colour = classColours.find((one) => !others.some((other) => other.colour === one)) ?? classColours[0]
  const key = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((one) => !others.some((other) => other.key === one)) ?? null
  const id = newId().slice(0, 12)
  return { id, name: '', description: '', colour, key, use: 'class', skeleton: null, ...given }
}

/** Names as they are written, with commas between; `1-2` joins two of them. */
export function skeletonFrom(names: string, joins: string): LabelClass['skeleton'] {
  const points = names
    .split(/[,，、\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (points.length === 0) return null
  const pairs = [...joins.matchAll(/(\d+)\s*[-–]\s*(\d+)/g)]
  return { points, joins: pairs.map(([, from, to]) => [Number(from) - 1, Number(to) - 1]) }
}

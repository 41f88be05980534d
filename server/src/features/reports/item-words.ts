/** What a report calls the items of a test, images or volumes, and how it explains what is drawn of them. */
import type { ItemResult } from '@neuroloom/contract/engine'
import type { Task } from '@neuroloom/contract/task'
import type { Words } from './words.ts'

/** The key of a text that volumes have in a form of their own. */
export const itemKey = (key: string, task: Task): string =>
  task === 'volume_segmentation' ? `${key}Volumes` : key

/** A number of items with its noun. */
export const countedItems = (count: number, task: Task, words: Words): string =>
  words.say(task === 'volume_segmentation' ? 'counted.volumes' : 'counted.images', { count })

type Pictured = {
  test: { task: Task }
  worst: readonly { result: Pick<ItemResult, 'size' | 'whole' | 'palette'> }[]
}

export const pictureText = ({ test: { task }, worst }: Pictured, words: Words): string =>
  words.t(`pictures.${pictureKey(task, worst)}`)

function pictureKey(task: Task, worst: Pictured['worst']): string {
  switch (task) {
    case 'classification':
    case 'multilabel':
      return 'images'
    case 'segmentation':
    case 'volume_segmentation':
      // Earlier tests drew all found outlines in one colour, and so do those of one class.
      return itemKey(worst.some(({ result: { palette } }) => palette) ? 'drawnClasses' : 'drawn', task)
    case 'detection':
      // Earlier tests stored no size of the image and drew all found boxes in one colour.
      return worst.every(({ result: { size } }) => size) ? 'boxes' : 'drawn'
    case 'super_resolution':
      // Earlier tests said nothing of a whole image and repeated the pixels of the small one.
      return worst.every(({ result: { whole } }) => whole !== undefined) ? 'superResolution' : 'restoration'
    case 'denoising':
      return 'restoration'
  }
}

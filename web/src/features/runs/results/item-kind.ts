import type { Answer } from '@neuroloom/contract/calls'
import type { Task } from '@neuroloom/contract/task'

/** One image of a test, with what was said of it. */
export type Item = Answer<'runs/items'>['items'][number]

/** How an item of a task is shown: what is said of it, and what its picture holds. */
export type ItemKind = 'class' | 'labels' | 'outlines' | 'boxes' | 'restored'

export const itemKind: Record<Task, ItemKind> = {
  classification: 'class',
  multilabel: 'labels',
  segmentation: 'outlines',
  volume_segmentation: 'outlines',
  detection: 'boxes',
  super_resolution: 'restored',
  denoising: 'restored',
}

/** For texts that differ: restoration is one, whatever was wrong with the pictures. */
export const textContext = (task: Task): Task | 'restored' =>
  itemKind[task] === 'restored' ? 'restored' : task

/** Which sentence describes the picture that the engine drew: boxes have a colour a class since their image's size is known. */
export const overlayContext = (item: Drawn, task: Task): Task | 'restored' | 'classes' | 'coloured' =>
  colourContext(item) || textContext(task)

type Drawn = Pick<Item, 'size' | 'palette'>

/** For texts that differ where boxes (`classes`) or outlines have a colour a class. */
export function colourContext({ size, palette }: Drawn): 'classes' | 'coloured' | '' {
  if (palette) return 'coloured'
  return size ? 'classes' : ''
}

/** A card's picture is as wide and high as the image where that is known, else a square. */
export const shapeOf = ({ size }: Pick<Item, 'size'>): { aspectRatio?: string } =>
  size ? { aspectRatio: `${size[0]} / ${size[1]}` } : {}

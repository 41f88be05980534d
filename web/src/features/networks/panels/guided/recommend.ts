/** Which templates suit a data set, best first, and why. Pure. */
import type { Dataset } from '@neuroloom/contract/datasets'
import { type Template, templates } from '@neuroloom/contract/network/templates'
import { axesOf, networkTask, type Task } from '@neuroloom/contract/task'

export interface Recommendation {
  template: Template
  /** Locale key below `guided.reason`, of those that stand out. */
  reason:
    | 'smallPictures'
    | 'largePictures'
    | 'fewPictures'
    | 'marking'
    | 'markingSmall'
    | 'markingVolumes'
    | 'finding'
    | 'finer'
    | 'clearer'
    | null
}

/** Sides up to this are for the network that looks at every pixel. */
const smallSide = 112
/** Fewer pictures than this are soon known by heart by a large network. */
const few = 1000

export function recommend({ task, facts }: Pick<Dataset, 'task' | 'facts'>): Recommendation[] {
  if (task === null) return []
  // Networks for lists of numbers, or for volumes where there are pictures, cannot learn from the data.
  const fitting = templates.filter(
    (template) => template.task === networkTask[task] && template.full.size?.length === axesOf(task),
  )
  const side = facts === null ? 0 : Math.max(facts.width.median, facts.height.median)
  const items = facts?.items ?? 0
  const reasons = new Map(reasonsFor({ task, side, items }))
  const first = [...reasons.keys()].flatMap((id) => fitting.find((template) => template.id === id) ?? [])
  const rest = fitting.filter(({ id }) => !reasons.has(id))
  return [...first, ...rest].map((template) => ({ template, reason: reasons.get(template.id) ?? null }))
}

type Facts = { task: Task; side: number; items: number }

/** Best first. */
function reasonsFor({ task, side, items }: Facts): [string, Recommendation['reason']][] {
  switch (task) {
    case 'segmentation':
      return [
        ['unet_small', 'marking'],
        ['attention_unet', 'markingSmall'],
      ]
    case 'volume_segmentation':
      return [['unet3d', 'markingVolumes']]
    case 'detection':
      return [['yolo', 'finding']]
    case 'super_resolution':
      return [['edsr', 'finer']]
    case 'denoising':
      return [['dncnn', 'clearer']]
    case 'classification':
    case 'multilabel':
      return wholePictures({ side, items })
  }
}

function wholePictures({ side, items }: Omit<Facts, 'task'>): [string, Recommendation['reason']][] {
  if (side <= smallSide) return [['small_resnet', 'smallPictures']]
  const large: [string, Recommendation['reason']] = ['resnet18', 'largePictures']
  return items < few ? [['mobilenetv2', 'fewPictures'], large] : [large]
}

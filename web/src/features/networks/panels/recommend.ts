/** Which templates suit a data set, best first, and why. Pure. */
import type { Dataset } from '@neuroloom/contract/datasets'
import { type Template, templates } from '@neuroloom/contract/network/templates'

export interface Recommendation {
  template: Template
  /** Locale key below `guided.reason`, of those that stand out. */
  reason: 'smallPictures' | 'largePictures' | 'fewPictures' | 'marking' | 'markingSmall' | null
}

/** Sides up to this are for the network that looks at every pixel. */
const smallSide = 112
/** Fewer pictures than this are soon known by heart by a large network. */
const few = 1000

export function recommend({ task, facts }: Pick<Dataset, 'task' | 'facts'>): Recommendation[] {
  // Data sets hold pictures; networks for lists of numbers or volumes cannot learn from them.
  const fitting = templates.filter((template) => template.task === task && template.full.size?.length === 2)
  const side = facts === null ? 0 : Math.max(facts.width.median, facts.height.median)
  const items = facts?.items ?? 0
  const reasons = new Map(reasonsFor({ task, side, items }))
  const first = [...reasons.keys()].flatMap((id) => fitting.find((template) => template.id === id) ?? [])
  const rest = fitting.filter(({ id }) => !reasons.has(id))
  return [...first, ...rest].map((template) => ({ template, reason: reasons.get(template.id) ?? null }))
}

type Facts = { task: string | null; side: number; items: number }

/** Best first. */
function reasonsFor({ task, side, items }: Facts): [string, Recommendation['reason']][] {
  if (task === 'segmentation') {
    return [
      ['unet_small', 'marking'],
      ['attention_unet', 'markingSmall'],
    ]
  }
  if (task !== 'classification') return []
  if (side <= smallSide) return [['small_resnet', 'smallPictures']]
  const large: [string, Recommendation['reason']] = ['resnet18', 'largePictures']
  return items < few ? [['mobilenetv2', 'fewPictures'], large] : [large]
}

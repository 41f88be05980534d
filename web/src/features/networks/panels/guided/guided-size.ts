/** How large a template becomes: the values that its width and depth can take, and what training would cost. Pure. */
import type { DataFacts, Dataset } from '@neuroloom/contract/datasets'
import type { Document } from '@neuroloom/contract/network/document/document'
import { setKnob } from '@neuroloom/contract/network/edit/frame'
import type { Library } from '@neuroloom/contract/network/library'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { instantiate, type PresetSize, type Template } from '@neuroloom/contract/network/templates'
import { networkData } from '@neuroloom/contract/suggest/suggest'
import { chooseImageSize } from '@neuroloom/contract/suggest/suggest-size'
import { axesOf, type Task } from '@neuroloom/contract/task'
import { type Fitting, fitted } from '../home/new-network.ts'

export type Dimension = 'width' | 'depth'
/** Chosen values; what is missing stays as in the template. */
export type Sizing = { readonly [dimension in Dimension]?: number }

export interface Range {
  knob: string
  /** As in the template; the others are whole steps away from it. */
  base: number
  step: number
  min: number
  max: number
}

/** What templates call it; the first one that is there counts. */
const knobs: Record<Dimension, readonly string[]> = {
  width: ['width', 'dim', 'growth'],
  depth: ['depth', 'pairs'],
}
/** Quarters keep what layers share out evenly: heads, groups, halves of channels. */
const parts = 4
/** Up to twice as large: beyond that, another template is the better choice. */
const above = 4

export interface Start {
  template: Template
  size: PresetSize
  dataset: Pick<Dataset, 'task' | 'classes' | 'facts'>
}
type Naming = { name: string; blockTitle: (block: string) => string }

/** The template with the classes and channels of the data; undefined: the product has no such network. */
export function startOf(
  { networks }: Library,
  { template, size, dataset }: Start,
  { name, blockTitle }: Naming = { name: template.id, blockTitle: () => '' },
): Document | undefined {
  const document = networks.get(template.id)
  if (document === undefined) return undefined
  return fitted(instantiate(document, template[size], blockTitle), {
    name,
    ...dataNumbers(dataset),
  })
}

/** What the data set on a network's knobs; nothing while they are not known. */
export function dataNumbers({ task, classes, facts }: Start['dataset']): Omit<Fitting, 'name'> {
  if (task === null || facts === null) return classes.length > 0 ? { classes: classes.length } : {}
  const { size: _, ...numbers } = networkData({ task, classes, facts }, chooseImageSize(task, facts))
  return numbers
}

/** null: this network has no such knob. */
export function rangeOf({ params }: Document, dimension: Dimension): Range | null {
  const knob = knobs[dimension].find((name) => typeof params.get(name)?.default === 'number')
  const spec = knob === undefined ? undefined : params.get(knob)
  const base = spec?.default
  if (knob === undefined || spec === undefined || typeof base !== 'number') return null
  const step = spec.type === 'int' ? Math.max(1, Math.round(base / parts)) : base / parts
  const most = spec.max ?? Number.POSITIVE_INFINITY
  const least = Math.max(spec.min ?? step, step)
  return {
    knob,
    base,
    step,
    min: base - step * Math.floor((base - least) / step),
    max: base + step * Math.min(above, Math.floor((most - base) / step)),
  }
}

export function sized(document: Document, sizing: Sizing): Document {
  return (['width', 'depth'] as const).reduce((rest, dimension) => {
    const range = rangeOf(rest, dimension)
    const value = sizing[dimension]
    const spec = rest.params.get(range?.knob ?? '')
    if (range === null || spec === undefined || value === undefined) return rest
    return setKnob(rest, range.knob, { ...spec, default: value })
  }, document)
}

export interface Trial {
  plan: Plan
  /** Height and width, of volumes also depth before them, that it was worked out for. */
  size: readonly number[]
}

/** With pictures as training would take them, or of the size the template was made for; null = it has mistakes. */
export function tryOut(
  document: Document,
  { catalogue, std }: Library,
  { task, facts }: Pick<Dataset, 'task' | 'facts'>,
): Trial | null {
  const designed = [...document.inputs.values()].flatMap(({ size = [] }) =>
    size.filter((side) => typeof side === 'number'),
  )
  const wanted = task === null || facts === null ? [] : [sizeOf(task, facts)]
  for (const size of [...wanted, designed]) {
    const { plan } = resolve(document, { catalogue, std, data: { size } })
    if (plan !== null) return { plan, size }
  }
  return null
}

function sizeOf(task: Task, facts: DataFacts): readonly number[] {
  const { imageSize, depth } = chooseImageSize(task, facts)
  return axesOf(task) === 3 ? [depth, ...imageSize] : imageSize
}

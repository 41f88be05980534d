/** Texts of new networks: empty ones, and templates fitted to data. Pure. */
import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import {
  type Document,
  type DocumentInput,
  documentVersion,
  type ParamSpec,
} from '@neuroloom/contract/network/document/document'
import { setKnob } from '@neuroloom/contract/network/edit/frame'
import { writeYaml } from '@neuroloom/contract/network/yaml/write'

export type InputKind = DocumentInput['kind']

export interface EmptyWish {
  name: string
  task: string
  kind: InputKind
  size: readonly number[]
  channels: number
  /** null: the task knows none. */
  classes: number | null
}

/** What every network begins with: data on one side, the result on the other, and nothing in between. */
export function emptyNetwork({ name, task, kind, size, channels, classes }: EmptyWish): Document {
  const params = new Map<string, ParamSpec>()
  if (classes !== null) {
    const min = fewestClasses(task)
    params.set('classes', { type: 'int', default: classes, min, max: 1000, role: 'classes' })
  }
  params.set('in_channels', { type: 'int', default: channels, min: 1, max: 1024, role: 'channels' })
  const input: DocumentInput = {
    kind,
    channels: '=in_channels',
    ...(size.length === 0 ? {} : { size: [...size] }),
  }
  return {
    dripe: documentVersion,
    name,
    task,
    params,
    inputs: new Map([[kind === 'image' ? 'image' : 'data', input]]),
    blocks: new Map(),
    nodes: new Map(),
    heads: new Map([['main', { task, from: new Map() }]]),
  }
}

/** One may look for a single kind of thing; to tell apart takes two. */
export const fewestClasses = (task: string): number => (task === 'detection' ? 1 : 2)

export interface Fitting {
  name: string
  classes?: number
  channels?: number
  factor?: number
}

/** A network with the data's numbers as its own, where it has a knob for them and they lie in its range. */
export function fitted(document: Document, { name, ...wishes }: Fitting): Document {
  let next: Document = { ...document, name }
  for (const [knob, spec] of document.params) {
    const value = spec.role === undefined ? undefined : wishes[spec.role]
    if (value === undefined || value < (spec.min ?? value) || value > (spec.max ?? value)) continue
    next = setKnob(next, knob, { ...spec, default: value })
  }
  return next
}

/** Names in a text are for people who read the text; the server keeps the member's own beside it. */
export function textFor(document: Document, vocabulary: Vocabulary): string {
  return writeYaml(document, vocabulary)
}

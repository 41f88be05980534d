import type { Language } from '@neuroloom/contract/language'
import type { Document } from '@neuroloom/contract/network/document/document'
import { structurePicture } from '@neuroloom/contract/network/picture/picture'
import type { DataFacts } from '@neuroloom/contract/network/resolve/bind'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { type Resolved, resolve } from '@neuroloom/contract/network/resolve/resolve'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import type { Work } from '../../infra/aside/aside.ts'
import { textsOf } from '../../infra/texts.ts'
import { library } from './library.ts'

/** Why a text is no document, and in which line. */
export type Unreadable = { reason: string; line: number }
type OrUnreadable<Answer> = { unreadable: Unreadable } | Answer

/** A text read and worked out: the task of its document, its plan or the number of mistakes in the way. */
export type Read = OrUnreadable<{ task: string; plan: Plan | null; mistakes: number }>

export function read(text: string, data: DataFacts): Read {
  const document = parse(text)
  if ('unreadable' in document) return document
  const { plan, errors } = resolveHere(document, data)
  return { task: document.task, plan, mistakes: errors.length }
}

/** What lists tell of a network, at its own design size; nulls while it has mistakes. */
export type Counts = { task: string; parameters: number | null; macs: number | null; mistakes: number }

export const countWork: Work<{ text: string }, OrUnreadable<Counts>> = {
  name: 'networks/count',
  run({ text }) {
    const found = read(text, {})
    if ('unreadable' in found) return found
    const { task, plan, mistakes } = found
    // More than can be told exactly could not be built anyway.
    const parameters = plan !== null && Number.isSafeInteger(plan.learn) ? plan.learn : null
    return { task, parameters, macs: plan?.macs ?? null, mistakes }
  },
}

type Wish = { text: string; language: Language; data: DataFacts }
export type Drawing = { svg: string; width: number; height: number }

/** The structure picture with its figures for these data, and the words of a language. */
export const drawWork: Work<Wish, OrUnreadable<Drawing>> = {
  name: 'networks/draw',
  run({ text, language, data }) {
    const document = parse(text)
    if ('unreadable' in document) return document
    const texts = textsOf('layers', language)
    const titles = (key: string): string => texts[key] ?? ''
    const { svg, width, height } = structurePicture(document, { vocabulary: library(), titles, data })
    return { svg, width: Math.ceil(width), height: Math.ceil(height) }
  },
}

function parse(text: string): OrUnreadable<Document> {
  const { document, problems } = readYaml(text)
  // A NUL cannot be stored, and YAML allows none.
  if (document !== null && !text.includes('\0')) return document
  const [first] = problems
  return { unreadable: { reason: first?.code ?? 'yaml_syntax', line: first?.line ?? 1 } }
}

/** The document of a text that was read before. */
export function documentOf(text: string): Document {
  const document = parse(text)
  if ('unreadable' in document)
    throw new Error(`A saved network is unreadable: ${document.unreadable.reason}`)
  return document
}

export const resolveHere = (document: Document, data: DataFacts = {}): Resolved =>
  resolve(document, { catalogue: library().catalogue, std: library().std, data })

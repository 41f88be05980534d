import type { Language } from '@neuroloom/contract/language'
import type { DataFacts } from '@neuroloom/contract/network/bind'
import type { Document } from '@neuroloom/contract/network/document'
import { structurePicture } from '@neuroloom/contract/network/picture'
import type { Plan } from '@neuroloom/contract/network/plan'
import { type Resolved, resolve } from '@neuroloom/contract/network/resolve'
import { readYaml } from '@neuroloom/contract/network/yaml'
import { textsOf } from '../../infra/texts.ts'
import { library } from './library.ts'

/** Why a text is no document, and in which line. */
export type Unreadable = { reason: string; line: number }

/** A text read and worked out: the task of its document, its plan or the number of mistakes in the way. */
export type Read = { unreadable: Unreadable } | { task: string; plan: Plan | null; mistakes: number }

/** What may be asked of a text, here or in another process. */
export type Question =
  | { text: string; data: DataFacts }
  | { text: string; data: DataFacts; language: Language }

export function read(text: string, data: DataFacts): Read {
  const document = parse(text)
  if ('unreadable' in document) return document
  const { plan, errors } = resolveHere(document, data)
  return { task: document.task, plan, mistakes: errors.length }
}

export type Drawn = { unreadable: Unreadable } | { svg: string; width: number; height: number }

/** The structure picture with its figures for these data, and the words of a language. */
export function draw(text: string, language: Language, data: DataFacts): Drawn {
  const document = parse(text)
  if ('unreadable' in document) return document
  const texts = textsOf('layers', language)
  const titles = (key: string): string => texts[key] ?? ''
  const { svg, width, height } = structurePicture(document, { vocabulary: library, titles, data })
  return { svg, width: Math.ceil(width), height: Math.ceil(height) }
}

export function parse(text: string): Document | { unreadable: Unreadable } {
  const { document, problems } = readYaml(text)
  // A NUL cannot be stored, and YAML allows none.
  if (document !== null && !text.includes('\0')) return document
  const [first] = problems
  return { unreadable: { reason: first?.code ?? 'yaml_syntax', line: first?.line ?? 1 } }
}

export const resolveHere = (document: Document, data: DataFacts = {}): Resolved =>
  resolve(document, { catalogue: library.catalogue, std: library.std, data })

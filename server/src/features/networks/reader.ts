import type { ChildProcess } from 'node:child_process'
import type { Language } from '@neuroloom/contract/language'
import { networkFileLimits as limits } from '@neuroloom/contract/limits'
import type { DataFacts } from '@neuroloom/contract/network/bind'
import type { Document } from '@neuroloom/contract/network/document'
import { fail } from '../../http/fail.ts'
import { forkOwn } from '../../infra/own-script.ts'
import { type Drawn, draw, parse, type Question, type Read, read, type Unreadable } from './reading.ts'

export type Reading = Exclude<Read, { unreadable: Unreadable }>
export type Picture = Exclude<Drawn, { unreadable: Unreadable }>

/** A member's text, worked out; `network_unreadable` for one that is no document. */
export async function examine(text: string, data: DataFacts = {}): Promise<Reading> {
  const found = text.length <= limits.readHereLength ? read(text, data) : await askAside<Read>({ text, data })
  if ('unreadable' in found) throw fail('network_unreadable', found.unreadable)
  return found
}

/** The structure picture of a text that was read before, with its figures for these data. */
export async function drawingOf(text: string, language: Language, data: DataFacts = {}): Promise<Picture> {
  const isSmall = text.length <= limits.drawHereLength
  const drawn = isSmall ? draw(text, language, data) : await askAside<Drawn>({ text, language, data })
  if ('unreadable' in drawn) throw fail('network_unreadable', drawn.unreadable)
  return drawn
}

/** The document of a text that was read before. */
export function documentOf(text: string): Document {
  const document = parse(text)
  if ('unreadable' in document) throw fail('network_unreadable', document.unreadable)
  return document
}

type Reader = { child: ChildProcess; waiting: ((answer: unknown) => void)[]; idle: NodeJS.Timeout }
let reader: Reader | null = null

/** In a process of its own, which stays a while for the next large text and ends with this one. */
async function askAside<Answer>(question: Question): Promise<Answer> {
  reader ??= startReader()
  const { child, waiting, idle } = reader
  idle.refresh()
  const timer = setTimeout(() => child.kill('SIGKILL'), limits.readMs)
  const answer = await new Promise<unknown>((resolve) => {
    waiting.push(resolve)
    child.send(question)
  })
  clearTimeout(timer)
  if (answer === null) throw fail('busy')
  // Its own script answers each kind of question with its kind of answer.
  return answer as Answer
}

function startReader(): Reader {
  const child = forkOwn({ from: import.meta.url, name: 'reader-process' })
  // Longer than any answer takes, so it never ends in the middle of one.
  const idle = setTimeout(() => child.kill(), limits.readIdleMs).unref()
  const started: Reader = { child, waiting: [], idle }
  child.on('message', (answer) => started.waiting.shift()?.(answer))
  const lose = (): void => {
    clearTimeout(idle)
    if (reader === started) reader = null
    for (const resolve of started.waiting.splice(0)) resolve(null)
  }
  child.once('error', lose)
  child.once('exit', lose)
  child.unref()
  child.channel?.unref()
  return started
}

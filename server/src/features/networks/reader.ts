import { type ChildProcess, fork } from 'node:child_process'
import type { DataFacts } from '@neuroloom/contract/network/bind'
import type { Document } from '@neuroloom/contract/network/document'
import { fail } from '../../http/fail.ts'
import { parse, type Read, read } from './reading.ts'

/** Texts up to this are read in some ten milliseconds; a megabyte takes seconds, in which nobody else would be served. */
const HERE = 64 * 1024
/** The largest texts take two seconds on a slow machine; one that takes longer is meant to. */
const MOST_MS = 15_000

export type Reading = Exclude<Read, { unreadable: unknown }>

/** A member's text, worked out; `network_unreadable` for one that is no document. */
export async function examine(text: string, data: DataFacts = {}): Promise<Reading> {
  const found = text.length <= HERE ? read(text, data) : await readAside(text, data)
  if ('unreadable' in found) throw fail('network_unreadable', found.unreadable)
  return found
}

/** The document of a text that was read before. */
export function documentOf(text: string): Document {
  const document = parse(text)
  if ('unreadable' in document) throw fail('network_unreadable', document.unreadable)
  return document
}

type Waiting = (found: Read | null) => void
type Reader = { child: ChildProcess; waiting: Waiting[] }
let reader: Reader | null = null

/** In a process of its own, which stays for the next large text and ends with this one. */
async function readAside(text: string, data: DataFacts): Promise<Read> {
  reader ??= startReader()
  const { child, waiting } = reader
  const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS)
  const found = await new Promise<Read | null>((resolve) => {
    waiting.push(resolve)
    child.send({ text, data })
  })
  clearTimeout(timer)
  if (found === null) throw fail('busy')
  return found
}

function startReader(): Reader {
  // From the sources as well as from the build.
  const isSource = import.meta.url.endsWith('.ts')
  const script = new URL(isSource ? './reader-process.ts' : './reader-process.js', import.meta.url)
  const child = fork(script, {
    execArgv: isSource ? ['--conditions=source', '--import', 'tsx'] : [],
    // It reads what anybody may have written, so it knows no secrets.
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  })
  const started: Reader = { child, waiting: [] }
  child.on('message', (found) => {
    // Its own script sends nothing else.
    started.waiting.shift()?.(found as Read)
  })
  const lose = (): void => {
    if (reader === started) reader = null
    for (const resolve of started.waiting.splice(0)) resolve(null)
  }
  child.once('error', lose)
  child.once('exit', lose)
  child.unref()
  child.channel?.unref()
  return started
}

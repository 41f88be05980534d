/** Everything of numbers, aside from the page: opens the file and answers one question after the other. */
import '../../../../lib/jitless.ts'

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Ask, Asks, FromWorker, OpenFault, ToWorker } from './asks.ts'
import { readMeasured } from './measured.ts'
import { readDerived, readMask } from './run-files.ts'
import { openSession, type Session } from './session.ts'

let session: Session | null = null
/** Of the open study. */
let file: Uint8Array = new Uint8Array()

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  try {
    tell({ id: data.id, answer: await answer(data) })
  } catch (error) {
    tell({ id: data.id, failure: String(error) })
  }
}

const tell = (message: FromWorker) => self.postMessage(message)

async function answer({ kind, ask }: Ask): Promise<unknown> {
  if (kind === 'open') return open(ask)
  if (session === null) throw new Error('nothing is open')
  switch (kind) {
    case 'before':
      return openBefore(session, ask)
    case 'picture':
      return session.picture(ask)
    case 'probe':
      return session.probe(ask)
    case 'section':
      return session.section(ask)
    case 'sha256':
      return bytesToHex(sha256(file))
    case 'space':
      return session.space(ask)
    case 'paths':
      return session.paths(ask)
    case 'hull':
      return session.hull(ask)
    case 'vti':
      return session.vti(ask)
    default:
      return kind satisfies never
  }
}

async function open({ url, mask, derived }: Asks['open']['ask']): Promise<Session['facts'] | OpenFault> {
  const others = [mask, derived].map((other) => (other === null ? null : load(other, quiet)))
  return attempted(await Promise.all([load(url, tell), ...others]), (files) => {
    const [study, inside, maps] = files
    if (!study) throw new Error('no study')
    const measured = readMeasured(study)
    file = study
    session = openSession(measured, {
      mask: inside ? readMask(inside, measured.head) : null,
      derived: maps ? readDerived(maps, measured.head) : null,
    })
    return session.facts
  })
}

async function openBefore(
  { setBefore }: Session,
  { url }: Asks['before']['ask'],
): Promise<'ready' | OpenFault> {
  return attempted([await load(url, quiet)], ([study]) => {
    if (!study) throw new Error('no study')
    setBefore(readMeasured(study))
    return 'ready'
  })
}

type File = Uint8Array | null

function attempted<Answer>(
  loaded: readonly (File | OpenFault)[],
  read: (files: File[]) => Answer,
): Answer | OpenFault {
  const files: File[] = []
  for (const one of loaded) {
    if (typeof one === 'string') return one
    files.push(one)
  }
  try {
    return read(files)
  } catch (error) {
    console.error(error)
    return 'format'
  }
}

type Tell = (progress: { loaded: number; whole: number | null }) => void
const quiet: Tell = () => {}

async function load(url: string, progress: Tell): Promise<Uint8Array | OpenFault> {
  try {
    const response = await fetch(url)
    if (!response.ok || response.body === null) return response.status >= 500 ? 'network' : 'gone'
    // Packed bodies tell the length of what is packed.
    const isPlain = response.headers.get('content-encoding') === null
    const whole = isPlain ? Number(response.headers.get('content-length')) || null : null
    return await gather(response.body.getReader(), whole, progress)
  } catch (error) {
    console.error(error)
    return 'network'
  }
}

async function gather(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  whole: number | null,
  progress: Tell,
): Promise<Uint8Array> {
  let bytes = new Uint8Array(whole ?? 2 ** 20)
  let loaded = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return bytes.subarray(0, loaded)
    if (loaded + value.length > bytes.length) {
      const larger = new Uint8Array(Math.max(2 * bytes.length, loaded + value.length))
      larger.set(bytes)
      bytes = larger
    }
    bytes.set(value, loaded)
    loaded += value.length
    progress({ loaded, whole })
  }
}

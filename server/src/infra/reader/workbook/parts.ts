/** The XML parts in a workbook's zip, read piece by piece; what they unpack to is counted, not what they claim. */
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { workbooks as limits } from '@neuroloom/contract/limits'
import sax from 'sax'
import * as yauzl from 'yauzl'
import { Refusal, refuse } from '../model.ts'

type Attributes = Readonly<Record<string, string | undefined>>
/** Names come without their prefix. `enough` ends the walk. */
export type Visitor = {
  open?(tag: string, attributes: Attributes): void
  text?(piece: string): void
  close?(tag: string): 'goOn' | 'enough'
}

/** Bytes that may still come out. */
export type Room = { bytes: number }
export const makeRoom = ({ unpackedBytes }: { unpackedBytes: number }): Room => ({ bytes: unpackedBytes })

export type Parts = {
  has(path: string): boolean
  /** A part that is missing says nothing. Refused when it unpacks to more than there is room for. */
  walk(path: string, visitor: Visitor, room?: Room): Promise<void>
  close(): void
}

export async function openParts(path: string, most: { unpackedBytes: number }): Promise<Parts> {
  const zip = await promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open)(path, {
    lazyEntries: true,
    autoClose: false,
    // Sizes are claims; bytes are counted as they come.
    validateEntrySizes: false,
  }).catch(refuseDamaged)
  const entries = await entriesOf(zip).catch((error: unknown) => {
    zip.close()
    return refuseDamaged(error)
  })
  const openEntry = promisify<yauzl.Entry, Readable>(zip.openReadStream.bind(zip))
  const ownRoom = makeRoom(most)
  return {
    has: (part) => entries.has(part.toLowerCase()),
    async walk(part, visitor, room = ownRoom) {
      const entry = entries.get(part.toLowerCase())
      if (!entry) return
      if (entry.isEncrypted()) throw refuse('workbook_locked')
      const stream = await openEntry(entry).catch(refuseDamaged)
      await walkXml(stream, visitor, room).catch(refuseDamaged)
    },
    close: () => zip.close(),
  }
}

/** Whatever the libraries stumble over, the file is to blame. */
function refuseDamaged(error: unknown): never {
  throw error instanceof Refusal ? error : refuse('workbook_damaged')
}

function entriesOf(zip: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  const entries = new Map<string, yauzl.Entry>()
  return new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => resolve(entries))
    zip.on('entry', (entry) => {
      entries.set(entry.fileName.toLowerCase(), entry)
      if (entries.size >= limits.parts) resolve(entries)
      else zip.readEntry()
    })
    zip.readEntry()
  })
}

async function walkXml(stream: Readable, visitor: Visitor, room: Room): Promise<void> {
  const { write, isEnough } = parserOf(visitor)
  let decoder: TextDecoder | null = null
  // The library gives buffers.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    room.bytes -= chunk.length
    if (room.bytes < 0)
      throw refuse('workbook_too_large', { limit: Math.round(limits.unpackedBytes / 1024 ** 2) })
    decoder ??= new TextDecoder(encodingOf(chunk))
    write(decoder.decode(chunk, { stream: true }))
    if (isEnough()) break
  }
}

const encodingOf = (start: Buffer): string => {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8'
}

/** Workbooks need a dozen of either. */
const [DEPTH, ATTRIBUTES] = [100, 200]

function parserOf({ open, text, close }: Visitor) {
  // It fetches nothing and knows no entities but XML's own five; a document that brings its own is refused.
  const parser = sax.parser(true)
  let depth = 0
  let attributes = 0
  let isEnough = false
  const damaged = (): never => {
    throw refuse('workbook_damaged')
  }
  parser.onerror = damaged
  parser.ondoctype = damaged
  parser.onattribute = () => {
    attributes += 1
    if (attributes > ATTRIBUTES) damaged()
  }
  parser.onopentag = ({ name, attributes: own }) => {
    attributes = 0
    depth += 1
    if (depth > DEPTH) damaged()
    // Without namespaces the library gives attributes as texts.
    if (!isEnough) open?.(localName(name), own as Attributes)
  }
  const say = (piece: string): void => {
    if (!isEnough) text?.(piece)
  }
  parser.ontext = say
  parser.oncdata = say
  parser.onclosetag = (name) => {
    depth -= 1
    if (!isEnough && close?.(localName(name)) === 'enough') isEnough = true
  }
  return { write: (piece: string) => void parser.write(piece), isEnough: () => isEnough }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

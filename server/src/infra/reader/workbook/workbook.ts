/** Reads an Excel workbook (`.xlsx`) as text: the beginning of each sheet, never formulas, programs or addresses. */
import { open } from 'node:fs/promises'
import { posix } from 'node:path'
import { workbooks as limits } from '@neuroloom/contract/limits'
import { openedEndings } from '@neuroloom/contract/opened'
import type { Workbook } from '@neuroloom/contract/viewing'
import { endingOf } from '../kinds.ts'
import { refuse } from '../model.ts'
import { readFormats } from './formats.ts'
import { makeRoom, openParts, type Parts } from './parts.ts'
import { readSheet, type SheetCells } from './sheet.ts'

/** With programs and as templates too; `.xls` because new workbooks are often called so, and old ones get an answer. */
/** So much is read of one. */
type Most = { rows: number; cells: number; textLength: number; unpackedBytes: number }

const endings: ReadonlySet<string> = new Set([...openedEndings.workbook, 'xls'])

export const isWorkbookName = (name: string): boolean => endings.has(endingOf(name))

export async function readWorkbook(path: string, name: string, most: Most = limits): Promise<Workbook> {
  await requireNew(path, name)
  const parts = await openParts(path, most)
  try {
    return await read(parts, most)
  } finally {
    parts.close()
  }
}

/** Old workbooks and locked ones are the same kind of container, in which the names of streams stand in 16 bits. */
async function requireNew(path: string, name: string): Promise<void> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size === 0) throw refuse('empty')
    const head = await readAt(file, 0, 8)
    if (head.toString('latin1').startsWith('PK')) return
    if (!head.equals(CONTAINER)) throw refuse('not_this_kind', { kind: `Excel (.${endingOf(name)})` })
    let isLocked = false
    for (let at = 0; at < Math.min(size, SEARCHED_BYTES) && !isLocked; at += PIECE_BYTES)
      isLocked = (await readAt(file, at, PIECE_BYTES + LOCKED.length)).includes(LOCKED)
    throw refuse(isLocked ? 'workbook_locked' : 'workbook_old')
  } finally {
    await file.close()
  }
}

const CONTAINER = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const LOCKED = Buffer.from('EncryptedPackage', 'utf16le')
const PIECE_BYTES = 1024 ** 2
const SEARCHED_BYTES = 512 * PIECE_BYTES

async function readAt(file: Awaited<ReturnType<typeof open>>, at: number, count: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, at)
  return buffer.subarray(0, bytesRead)
}

async function read(parts: Parts, most: Most): Promise<Workbook> {
  const [main] = (await relationsOf(parts, '')).filter(({ type }) => type === 'officeDocument')
  if (!main || !parts.has(main.path)) throw refuse('not_this_kind', { kind: 'Excel (.xlsx)' })
  const { sheets, countsFrom1904 } = await contentsOf(parts, main.path)
  const relations = await relationsOf(parts, main.path)
  const pathOf = (kind: string) => relations.find(({ type }) => type === kind)?.path ?? ''
  const formats = await readFormats(parts, pathOf('styles'))
  const found: { name: string; isHidden: boolean; cells: SheetCells }[] = []
  const room = { ...makeRoom(most), cells: most.cells }
  for (const { name, isHidden, relation } of sheets) {
    const target = relations.find(({ id, type }) => id === relation && type === 'worksheet')
    if (!target) continue
    found.push({
      name,
      isHidden,
      cells: await readSheet(parts, target.path, { formats, countsFrom1904, room, rows: most.rows }),
    })
  }
  const texts = await sharedTexts(parts, pathOf('sharedStrings'), wantedBy(found))
  let textRoom = most.textLength
  const textOf = (cell: SheetCells['rows'][number][number]): string => {
    const text = typeof cell === 'number' ? (texts.get(cell) ?? '') : cell
    textRoom -= text.length
    return textRoom < 0 ? '' : text
  }
  return {
    sheets: found.map(({ name, isHidden, cells: { rows, merged, isCut } }) => {
      const told = rows.map((row) => row.map(textOf))
      return { name, isHidden, rows: told, merged, isCut: isCut || textRoom < 0 }
    }),
  }
}

type Relation = { id: string; type: string; path: string }

/** What a part says belongs to it; '' = the file itself. What lies outside of the file is never looked for. */
async function relationsOf(parts: Parts, path: string): Promise<Relation[]> {
  const [folder, file] = path === '' ? ['', ''] : [posix.dirname(path), posix.basename(path)]
  const found: Relation[] = []
  await parts.walk(posix.join(folder, '_rels', `${file}.rels`), {
    open(tag, { Id = '', Type = '', Target = '', TargetMode }) {
      if (tag !== 'Relationship' || TargetMode === 'External') return
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target)
      found.push({ id: Id, type: posix.basename(Type), path: target })
    },
  })
  return found
}

type Contents = {
  sheets: { name: string; isHidden: boolean; relation: string }[]
  countsFrom1904: boolean
}

async function contentsOf(parts: Parts, path: string): Promise<Contents> {
  const contents: Contents = { sheets: [], countsFrom1904: false }
  await parts.walk(path, {
    open(tag, attributes) {
      if (tag === 'workbookPr') contents.countsFrom1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      if (tag !== 'sheet' || contents.sheets.length >= limits.sheets) return
      const [, relation = ''] = Object.entries(attributes).find(([name]) => name.endsWith(':id')) ?? []
      const isHidden = /^(hidden|veryHidden)$/.test(attributes.state ?? '')
      contents.sheets.push({ name: (attributes.name ?? '').slice(0, 200), isHidden, relation })
    },
  })
  return contents
}

const wantedBy = (found: readonly { cells: SheetCells }[]): ReadonlySet<number> =>
  new Set(found.flatMap(({ cells }) => cells.rows.flat().filter((cell) => typeof cell === 'number')))

/** Texts that stand once in the file, of which only those that are shown are read. */
async function sharedTexts(
  parts: Parts,
  path: string,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>()
  let index = 0
  let text = ''
  let isReadAloud = false
  let isText = false
  if (wanted.size === 0) return texts
  await parts.walk(path, {
    open(tag) {
      if (tag === 'rPh') isReadAloud = true
      isText = tag === 't' && !isReadAloud
    },
    text(piece) {
      if (isText && wanted.has(index)) text = (text + piece).slice(0, limits.cellLength)
    },
    close(tag) {
      isText = false
      if (tag === 'rPh') isReadAloud = false
      if (tag !== 'si') return 'goOn'
      if (wanted.has(index)) texts.set(index, text)
      text = ''
      index += 1
      return texts.size === wanted.size ? 'enough' : 'goOn'
    },
  })
  return texts
}

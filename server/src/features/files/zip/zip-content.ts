import { fileName } from '../../../http/bytes.ts'
import { type ArchivedFile, type ArchivedFolder, freeNames } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import { isAnyOf } from '../access.ts'
import { type Place, pageOf } from '../listing-question.ts'
import { type FileRow, files } from '../tables.ts'

/** Entries of one folder that are read at once. */
const PAGE = 500

/** Kinds that get a good deal smaller; all others are packed already, and would only cost time. */
const loose = new Set([
  ...['txt', 'md', 'log', 'csv', 'tsv', 'json', 'yaml', 'yml', 'xml', 'html', 'htm', 'svg', 'rtf'],
  ...['bmp', 'ppm', 'pgm', 'dcm', 'dicom', 'ima', 'nii', 'hdr', 'img', 'mhd', 'raw', 'npy'],
])

/** Which of these whoever fetches them may have. */
export type Sees = (ids: readonly string[]) => Promise<ReadonlySet<string>>
type Reading = Context & { sees: Sees }

type Archived = ArchivedFile | ArchivedFolder

/** The entries with all that lies in them, as it is when its turn comes. Names are ones that every system can store. */
export async function* contentOf(
  ctx: Context,
  entries: readonly FileRow[],
  sees: Sees,
): AsyncIterable<Archived> {
  const freeName = freeNames()
  for (const entry of entries) yield* branch({ ...ctx, sees }, entry, freeName(fileName(entry.name)))
}

async function* branch(ctx: Reading, entry: FileRow, path: string): AsyncIterable<Archived> {
  const { kind, sha256, modifiedAt, type } = entry
  if (sha256 !== null) {
    yield { path, modifiedAt, isText: loose.has(type), read: () => ctx.storage.read(sha256) }
  }
  if (kind === 'file') return
  const freeName = freeNames()
  let isEmpty = true
  for await (const inner of childrenOf(ctx, entry)) {
    isEmpty = false
    yield* branch(ctx, inner, `${path}/${freeName(fileName(inner.name))}`)
  }
  if (isEmpty) yield { path, modifiedAt, isFolder: true }
}

/** A page at a time, in the order of names. */
async function* childrenOf({ db, sees }: Reading, { id, ownerId }: FileRow): AsyncIterable<FileRow> {
  const question = {
    ownerId,
    folderId: id,
    below: false,
    search: '',
    filter: 'all',
    sort: 'name',
    descending: false,
    // Asked of each page below, which may also be what a link gives.
    asked: null,
  } as const
  let after: Place | null = null
  do {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(db, question, { after, limit: PAGE })
    const rows = await db.select().from(files).where(isAnyOf(page.ids))
    const rowOf = new Map(rows.map((row) => [row.id, row]))
    const seen = await sees(page.ids)
    for (const inner of page.ids) {
      const row = rowOf.get(inner)
      if (row && seen.has(inner)) yield row
    }
    after = page.next
  } while (after !== null)
}

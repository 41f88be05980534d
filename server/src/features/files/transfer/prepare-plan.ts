import type { Answer, Body } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import { archiveKind } from '@neuroloom/contract/names/archive-names'
import type { TextEncoding } from '@neuroloom/contract/names/encodings'
import type { SameName, UnpackMode } from '@neuroloom/contract/uploads'
import { fail } from '../../../http/fail.ts'
import { newId } from '../../../infra/ids.ts'
import { cleanName, FIRST_NUMBER, numberedName } from '../names.ts'

type Request = Body<'files/prepare'>
type Refusal = Answer<'files/prepare'>['refused'][number]
type Taken = Map<string, 'folder' | 'file'>

/** Live names in the given folders (null = the top). */
export type LoadNames = (
  folderIds: (string | null)[],
) => Promise<{ id: string; parentId: string | null; name: string; kind: 'folder' | 'file' }[]>

export type NewFolder = { id: string; parentId: string | null; name: string }
export type NewUpload = {
  id: string
  parentId: string | null
  name: string
  path: string
  sizeBytes: number
  sameName: SameName
  unpack: UnpackMode
  encoding: TextEncoding | null
}

export type Plan = {
  folders: NewFolder[]
  /** In the order of the request; null = skipped or refused. */
  uploads: (NewUpload | null)[]
  refused: Refusal[]
  conflicts: string[]
  folderId: string | null
}

type Folder = {
  id: string | null
  isNew: boolean
  names: Map<string, string>
  taken: Taken
  /** By name, the number that was given last: thousands of one name would try all earlier ones again. */
  numbers: Map<string, number>
}
type Wanted = Pick<NewUpload, 'path' | 'name' | 'sizeBytes' | 'unpack' | 'encoding'> & { folders: string[] }

type Options = {
  depth: number
  load: LoadNames
  /** Awaited again and again on the way, so that others have their turn. */
  pause: () => Promise<void>
}

/** So many files are worked out between two pauses. */
const STEP = 50

/** Works out what an upload needs: which folders are missing, which names are taken. Changes nothing. */
export async function planUpload(request: Request, { depth, load, pause }: Options): Promise<Plan> {
  const refused: Refusal[] = []
  const wanted: (Wanted | null)[] = []
  for (const file of request.files) {
    if (wanted.length % STEP === 0) await pause()
    wanted.push(readWanted(file, depth, refused))
  }
  const { folders, made } = await resolveFolders(wanted, { rootId: request.parentId, load, pause })
  const decided = new Map(request.decisions?.map(({ path, sameName }) => [path, sameName]))
  const conflicts: string[] = []
  const uploads: (NewUpload | null)[] = []
  for (const one of wanted) {
    if (uploads.length % STEP === 0) await pause()
    const folder = one && folders.get(one.folders.join('/'))
    const sameName = (one && decided.get(one.path)) ?? request.sameName
    uploads.push(folder ? placeFile(one, { folder, sameName, conflicts }) : null)
  }
  return { folders: made, uploads, refused, conflicts, folderId: folderOfAll(wanted, folders, request) }
}

function readWanted(
  { path, sizeBytes, unpack = 'no', encoding = null }: Request['files'][number],
  depth: number,
  refused: Refusal[],
): Wanted | null {
  const parts = path.split('/').map(cleanName)
  const clean = parts.filter((part) => part !== null)
  const name = clean.at(-1)
  if (name === undefined || clean.length < parts.length || depth + parts.length > limits.depth) {
    refused.push({ path, reason: 'name_invalid' })
    return null
  }
  if (sizeBytes > limits.fileBytes) {
    refused.push({ path, reason: 'file_too_large' })
    return null
  }
  return {
    path,
    folders: clean.slice(0, -1),
    name,
    sizeBytes,
    unpack: archiveKind(name) === null ? 'no' : unpack,
    encoding,
  }
}

/** Level by level: existing folders are merged into, a file of the same name makes the new one `x (2)`. */
async function resolveFolders(
  wanted: (Wanted | null)[],
  { rootId, load, pause }: { rootId: string | null } & Pick<Options, 'load' | 'pause'>,
): Promise<{ folders: Map<string, Folder>; made: NewFolder[] }> {
  const root = makeFolder(rootId, { isNew: false })
  const folders = new Map([['', root]])
  const made: NewFolder[] = []
  const levels = await pathsByDepth(wanted, pause)
  let current = [root]
  for (let depth = 1; current.length > 0; depth += 1) {
    await fillNames(current, load)
    current = []
    for (const parts of levels[depth] ?? []) {
      if (current.length % STEP === 0) await pause()
      const parent = folders.get(parts.slice(0, -1).join('/'))
      if (!parent) continue
      const folder = findOrMake(parent, parts.at(-1) ?? '', made)
      folders.set(parts.join('/'), folder)
      current.push(folder)
    }
  }
  return { folders, made }
}

function findOrMake(parent: Folder, name: string, made: NewFolder[]): Folder {
  const existing = parent.taken.get(name) === 'folder' ? parent.names.get(name) : undefined
  if (existing !== undefined) return makeFolder(existing, { isNew: false })
  const free = parent.taken.has(name)
    ? numberedName({ name, kind: 'folder' }, (one) => parent.taken.has(one))
    : name
  const id = newId()
  parent.taken.set(free, 'folder')
  made.push({ id, parentId: parent.id, name: free })
  return makeFolder(id, { isNew: true })
}

const makeFolder = (id: string | null, { isNew }: { isNew: boolean }): Folder => ({
  id,
  isNew,
  names: new Map(),
  taken: new Map(),
  numbers: new Map(),
})

async function fillNames(folders: Folder[], load: LoadNames): Promise<void> {
  const existing = new Map(folders.filter(({ isNew }) => !isNew).map((folder) => [folder.id, folder]))
  if (existing.size === 0) return
  for (const { id, parentId, name, kind } of await load([...existing.keys()])) {
    const folder = existing.get(parentId)
    folder?.taken.set(name, kind)
    folder?.names.set(name, id)
  }
}

async function pathsByDepth(wanted: (Wanted | null)[], pause: Options['pause']): Promise<string[][][]> {
  const unique = new Map<string, string[]>()
  let count = 0
  for (const { folders } of wanted.filter((one) => one !== null)) {
    if (count % STEP === 0) await pause()
    count += 1
    if (unique.size > limits.foldersPerUpload)
      throw fail('too_many_folders', { limit: limits.foldersPerUpload })
    for (let depth = folders.length; depth > 0; depth -= 1) {
      const parts = folders.slice(0, depth)
      const key = parts.join('/')
      if (unique.has(key)) break
      unique.set(key, parts)
    }
  }
  const levels: string[][][] = []
  for (const parts of unique.values()) {
    const level = levels[parts.length] ?? []
    level.push(parts)
    levels[parts.length] = level
  }
  return levels
}

function placeFile(
  { path, name, sizeBytes, unpack, encoding }: Wanted,
  { folder, sameName, conflicts }: { folder: Folder; sameName: Request['sameName']; conflicts: string[] },
): NewUpload | null {
  const { id: parentId } = folder
  const there = folder.taken.get(name)
  if (there && sameName === 'ask') conflicts.push(path)
  if (there && sameName === 'skip') return null
  const keepsName = !there || (there === 'file' && sameName === 'overwrite')
  const free = keepsName ? name : freeName(name, folder)
  folder.taken.set(free, 'file')
  // Should the name be taken only while the bytes are under way, nothing may be lost that nobody spoke of.
  const later = sameName === 'ask' ? 'rename' : sameName
  return { id: newId(), parentId, name: free, path, sizeBytes, sameName: later, unpack, encoding }
}

function freeName(name: string, { taken, numbers }: Folder): string {
  const from = numbers.get(name) ?? FIRST_NUMBER
  let tried = from
  const free = numberedName({ name, kind: 'file', from }, (one) => {
    tried += 1
    return taken.has(one)
  })
  numbers.set(name, tried)
  return free
}

/** One uploaded folder: that one; several, or loose files: where they were put. */
function folderOfAll(
  wanted: (Wanted | null)[],
  folders: Map<string, Folder>,
  { parentId }: Request,
): string | null {
  const tops = new Set(wanted.filter((one) => one !== null).map((one) => one.folders[0] ?? ''))
  const [top = ''] = tops
  return tops.size === 1 && top !== '' ? (folders.get(top)?.id ?? parentId) : parentId
}

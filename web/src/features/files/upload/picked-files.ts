/** Turns what a picker or a drop hands over into plain paths and files; it never reads their bytes. */

import { files as limits } from '@neuroloom/contract/limits'
import { isClutter } from '@neuroloom/contract/names/archive-names'

/** `path` has slashes when it lies in a folder; a loose file has none. */
export type Picked = { path: string; file: File }

/** What one upload consists of: one folder, or loose files. */
export type PickedGroup = {
  name: string
  isFolder: boolean
  files: Picked[]
  /** By which a browser that can do so finds the same files again after a reload. */
  handles?: FileSystemHandle[]
  /** Hidden system files that were left out. */
  hidden?: number
}

export type PickProblem =
  | { name: 'nothing'; params: Record<string, never> }
  | { name: 'tooManyLoose' | 'tooManyInFolder'; params: { number: number; limit: number } }

export function pickedFromInput(list: Iterable<File>): Picked[] {
  return Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file }))
}

/** Must be called inside the drop event: browsers empty the transfer right after it. */
export async function pickedFromDrop(transfer: DataTransfer): Promise<Picked[]> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.() ?? null)
  const loose = Array.from(transfer.files, (file) => ({ path: file.name, file }))
  if (entries.every((entry) => entry === null)) return loose
  const found: Picked[] = []
  for (const entry of entries) if (entry) await collect(entry, found)
  return found
}

/** What remains without the files that systems leave in every folder. */
export const withoutClutter = (picked: readonly Picked[]): Picked[] =>
  picked.filter(({ path }) => !isClutter(path))

/** Why a choice cannot be taken as it is, before anything is sent. */
export function findPickProblem(picked: Picked[]): PickProblem | null {
  if (picked.length === 0) return { name: 'nothing', params: {} }
  const loose = picked.filter(({ path }) => !path.includes('/')).length
  if (loose > limits.looseFiles)
    return { name: 'tooManyLoose', params: { number: loose, limit: limits.looseFiles } }
  const most = limits.filesPerFolderUpload
  if (picked.length > most) return { name: 'tooManyInFolder', params: { number: picked.length, limit: most } }
  return null
}

/** One upload for each folder, and one for all loose files together. */
export function groupPicked(picked: Picked[]): PickedGroup[] {
  const groups = new Map<string, PickedGroup>()
  for (const one of picked) {
    const slash = one.path.indexOf('/')
    const folder = slash < 0 ? '' : one.path.slice(0, slash)
    const group = groups.get(folder)
    if (group) group.files.push(one)
    else groups.set(folder, { name: folder || one.path, isFolder: folder !== '', files: [one] })
  }
  return [...groups.values()]
}

async function collect(entry: FileSystemEntry, found: Picked[]): Promise<void> {
  // One more than allowed is enough to say "too many"; a whole disk must not fill the memory.
  if (found.length > limits.filesPerFolderUpload) return
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push({ path: entry.fullPath.replace(/^\//, ''), file })
    return
  }
  if (!isFolder(entry)) return
  const reader = entry.createReader()
  // A reader hands over at most about a hundred entries a time and ends with an empty list.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (batch.length === 0) return
    for (const child of batch) await collect(child, found)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** Files and folders by handles that outlive a reload, where a browser has them; nothing here reads bytes. */

import { files as limits } from '@neuroloom/contract/limits'
import { isClutter } from '@neuroloom/contract/names/archive-names'
import type { Picked } from './picked-files.ts'

type Pickers = {
  showDirectoryPicker?: (options: object) => Promise<FileSystemDirectoryHandle>
  showOpenFilePicker?: (options: object) => Promise<FileSystemFileHandle[]>
}
/** The picker closed without a choice. */
export const dismissed: unique symbol = Symbol('dismissed')

/** Null where the browser knows no handles: then the old picker serves. */
export async function pickHandles(
  kind: 'folder' | 'files',
): Promise<FileSystemHandle[] | typeof dismissed | null> {
  // Not in TypeScript's library yet; both are looked for before they are used.
  const { showDirectoryPicker, showOpenFilePicker } = window as Pickers
  try {
    if (kind === 'folder' && showDirectoryPicker)
      return [await showDirectoryPicker.call(window, { id: 'uploads' })]
    if (kind === 'files' && showOpenFilePicker)
      return await showOpenFilePicker.call(window, { id: 'uploads', multiple: true })
    return null
  } catch (error) {
    // Anything but a closed dialog means that this way is barred here.
    return error instanceof DOMException && error.name === 'AbortError' ? dismissed : null
  }
}

type ItemWithHandle = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }

/** Must be called inside the drop event. Empty where the browser knows no handles. */
export function handlesOfDrop(transfer: DataTransfer): Promise<FileSystemHandle[]> {
  const asked = Array.from(transfer.items, (item: ItemWithHandle) => item.getAsFileSystemHandle?.() ?? null)
  return Promise.all(asked)
    .then((handles) => handles.filter((handle) => handle !== null))
    .catch(() => [])
}

/** All files that the handles lead to, with their paths. */
export async function filesOf(handles: readonly FileSystemHandle[]): Promise<Picked[]> {
  const found: Picked[] = []
  for (const handle of handles) await collect(handle, '', found)
  return found
}

/** Whether the files may be read now; `ask` shows the browser's question, which needs a click to come from. */
export async function mayRead(
  handles: readonly FileSystemHandle[],
  { ask }: { ask: boolean },
): Promise<boolean> {
  for (const handle of handles) {
    const guarded: GuardedHandle = handle
    const state = await guarded.queryPermission?.({ mode: 'read' })
    if (state === undefined || state === 'granted') continue
    if (!ask || (await guarded.requestPermission?.({ mode: 'read' })) !== 'granted') return false
  }
  return true
}

type Permission = (options: { mode: 'read' }) => Promise<PermissionState>
type GuardedHandle = FileSystemHandle & { queryPermission?: Permission; requestPermission?: Permission }

async function collect(handle: FileSystemHandle, above: string, found: Picked[]): Promise<void> {
  // One more than allowed is enough to say "too many".
  if (found.length > limits.filesPerFolderUpload) return
  const path = `${above}${handle.name}`
  if (isFile(handle)) {
    found.push({ path, file: await handle.getFile() })
    return
  }
  if (!isFolder(handle) || isClutter(`${path}/`)) return
  for await (const child of handle.values()) await collect(child, `${path}/`, found)
}

type Walkable = FileSystemDirectoryHandle & { values(): AsyncIterable<FileSystemHandle> }
const isFile = (handle: FileSystemHandle): handle is FileSystemFileHandle => handle.kind === 'file'
const isFolder = (handle: FileSystemHandle): handle is Walkable => handle.kind === 'directory'

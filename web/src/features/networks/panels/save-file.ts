import { saveBlob } from '../../../lib/download.ts'

/** Hands a text made on this page to the member as a file. */
export function saveText(name: string, text: string, type: string): void {
  saveFile(name, new Blob([text], { type }))
}

/** What no file system takes in a name becomes a dash. */
export function saveFile(name: string, blob: Blob): void {
  saveBlob(name.replace(/[\\/:*?"<>|]+/g, '-'), blob)
}

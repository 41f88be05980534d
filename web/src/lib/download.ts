/** Saves files: those behind a short-lived link (the link is the permission; no header is sent), and those made here. */
import { client } from '@neuroloom/contract/limits'
import i18next from 'i18next'
import { toast } from './toast.ts'

type Link = { url: string; name: string; sizeBytes: number }

/** Small files are checked before they are saved; large ones go straight to the disk. */
export async function download({ url, name, sizeBytes }: Link): Promise<void> {
  if (sizeBytes > client.downloadInMemoryBytes) return saveAs(url, name)
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(client.downloadTimeoutMs) })
    const blob = await response.blob()
    if (!response.ok || blob.size === 0) return toast.error(i18next.t('common:failure.download'))
    saveBlob(name, blob)
  } catch (error) {
    console.error(error)
    toast.error(i18next.t('common:failure.network'))
  }
}

/** Something made on this page. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  saveAs(address, name)
  URL.revokeObjectURL(address)
}

function saveAs(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
}

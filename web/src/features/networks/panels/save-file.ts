/** Hands a text made on this page to the member as a file. */
export function saveText(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }))
}

export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = safeName(name)
  document.body.append(link)
  link.click()
  link.remove()
  URL.revokeObjectURL(address)
}

/** What no file system takes becomes a dash. */
function safeName(name: string): string {
  return name.replace(/[\\/:*?"<>|]+/g, '-')
}

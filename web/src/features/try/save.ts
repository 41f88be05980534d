/** Saves what was made on this page. */

/** scan.jpg → scan-mask.png */
export const nameFor = (name: string, ending: string): string => `${name.replace(/\.[^.]*$/, '')}-${ending}`

export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  URL.revokeObjectURL(address)
}

/** Images in two files by their names alone: a header, and the numbers beside it under the same name. */

/** The other ending of each. */
const partners: Record<string, string> = { hdr: 'img', img: 'hdr', par: 'rec', rec: 'par' }

export const inPairs: ReadonlySet<string> = new Set(Object.keys(partners))

/** Whether this is the one that describes the other. */
export const isHeader = (name: string): boolean => /\.(hdr|par)$/i.test(name)

/** What the other file is called, in the same case; null for files that stand alone. */
export function partnerName(name: string): string | null {
  const [, stem = '', ending = ''] = /^(.+)\.([^.]+)$/s.exec(name) ?? []
  const partner = partners[ending.toLowerCase()]
  if (partner === undefined) return null
  return `${stem}.${ending === ending.toUpperCase() ? partner.toUpperCase() : partner}`
}

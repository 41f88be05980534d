/** How a long name is shown where there is little room: in galleries, captions and on paper. */
const LONGEST = 32
const START = 8
const END = 12

/** Of a long name the start and the end, which tells items of a folder apart. */
export function shortName(name: string): string {
  const letters = Array.from(name)
  if (letters.length <= LONGEST) return name
  return `${letters.slice(0, START).join('')}…${letters.slice(-END).join('')}`
}

const LONGEST = 32
const START = 8
const END = 12

/** For names that are read out: of a long one the start and the end, which tells items of a folder apart. */
export function shortName(name: string): string {
  const letters = Array.from(name)
  if (letters.length <= LONGEST) return name
  return `${letters.slice(0, START).join('')}…${letters.slice(-END).join('')}`
}

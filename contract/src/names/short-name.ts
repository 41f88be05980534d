/** How a long name is shown where there is little room: in galleries, captions and on paper. */
const LONGEST = 32
const START = 8
const END = 12

/**
 * Of a long name the start and the end, which tells items of a folder apart: of each long part of a path, and of the path as
 * many parts from its end as there is room for.
 */
export function shortName(name: string): string {
  if (lettersOf(name) <= LONGEST) return name
  const parts = name.split('/').map(cut)
  let shown = parts.pop() ?? ''
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (lettersOf(`${part}/${shown}`) > LONGEST) return `…/${shown}`
    shown = `${part}/${shown}`
  }
  return shown
}

const lettersOf = (name: string): number => Array.from(name).length

function cut(part: string): string {
  const letters = Array.from(part)
  if (letters.length <= START + 1 + END) return part
  return `${letters.slice(0, START).join('')}…${letters.slice(-END).join('')}`
}

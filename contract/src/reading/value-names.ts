/** Names that a text gives to the values of masks: a line each, or the `labels` of a JSON file. Pure. */

/** What such texts are called. */
export const valueTableNames =
  /^(class_?dict|(label|class|color|colour)_?(colou?rs?|map|table|names?)?|labels|classes|colou?rmap|names)\.(txt|csv|names)$/i

/** By value, written as a number, or as `#rrggbb` where colours have the names. */
export function valueNames(text: string): Map<string, string> {
  return text.trimStart().startsWith('{')
    ? namesInJson(text)
    : new Map(linesOf(text).flatMap((line) => entryOf(line) ?? []))
}

export const linesOf = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))

/**
 * `64 128 64 Animal`, `Animal,64,128,64`, `lesion:255,0,0::`, `1: lesion`, `lesion,1`; with a colour behind the number, as
 * ITK-SNAP and FreeSurfer write it: `1 255 0 0 1 1 1 "lesion"`, `17 Left-Hippocampus 220 216 20 0`. Null for names alone.
 */
function entryOf(line: string): [string, string][] | null {
  const name = nameIn(line)
  const numbers = (line.match(/(?<![\p{L}\d])\d{1,5}(?![\p{L}\d])/gu) ?? []).map(Number)
  if (name === '') return null
  const [red = 256, green = 256, blue = 256] = numbers
  const isColour = numbers.length === 3 && [red, green, blue].every((part) => part < 256)
  if (isColour) return [[hexOf([red, green, blue]), name]]
  return numbers.length === 1 || numbers.length > 3 ? [[String(red), name]] : null
}

export const hexOf = (colour: readonly number[]): string =>
  `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`

export const nameIn = (line: string): string =>
  line
    .replace(/(?<![\p{L}\d])\d{1,5}(?![\p{L}\d])/gu, ' ')
    .replace(/[,;:\t"'=]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)

const LONGEST = 100

/** `{"labels": {"lesion": 1}}`, and the other way round. */
function namesInJson(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [key, value] of Object.entries(labelsIn(text))) {
    if (/^\d{1,5}$/.test(key) && typeof value === 'string') found.set(key, value.slice(0, LONGEST))
    else if (Number.isInteger(Number(value))) found.set(String(value), key.slice(0, LONGEST))
  }
  return found
}

function labelsIn(text: string): object {
  try {
    const whole: unknown = JSON.parse(text)
    if (typeof whole !== 'object' || whole === null) return {}
    const labels: unknown = 'labels' in whole ? whole.labels : whole
    return typeof labels === 'object' && labels !== null ? labels : {}
  } catch {
    return {}
  }
}

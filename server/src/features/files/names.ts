import { fileNameSchema } from '@neuroloom/contract/files'
import { files } from '@neuroloom/contract/limits'

/** The name as it is stored, or null when it breaks the rules. Two spellings of one letter are one name. */
export function cleanName(name: string): string | null {
  const parsed = fileNameSchema.safeParse(name.normalize('NFC'))
  return parsed.success ? parsed.data : null
}

/** Everything that is stored of a name. */
export const nameColumns = (name: string, kind: 'folder' | 'file') => ({
  name,
  searchName: name.toLowerCase(),
  sortName: sortNameOf(name),
  type: kind === 'file' ? extensionOf(name) : '',
})

export const FIRST_NUMBER = 2

/** The first free one of `x (2).png`, `x (3).png` …, or from a later number on. */
export function numberedName(
  { name, kind, from = FIRST_NUMBER }: { name: string; kind: 'folder' | 'file'; from?: number },
  isTaken: (name: string) => boolean,
): string {
  const dot = kind === 'file' ? name.lastIndexOf('.') : -1
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = from; ; number += 1) {
    const mark = ` (${number})${ending}`
    const candidate = cutTo(stem, files.nameLength - mark.length) + mark
    if (!isTaken(candidate)) return candidate
  }
}

/** Lower-case extension without dot; '' where there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
}

/** Numbers are padded so that 9 comes before 10. Bounded, because an index row is. */
export const sortNameOf = (name: string): string =>
  cutTo(
    name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(8, '0')),
    300,
  )

/** Never through the middle of a character of two units. */
const cutTo = (text: string, length: number): string =>
  text.slice(0, Math.max(length, 0)).replace(/[\ud800-\udbff]$/, '')

import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const source = `${import.meta.dirname}/../src/`

/** Where no page shows why, the call alone tells it. */
const toldByCall = ['features/files/file-window.tsx']

it('a failed read is told once: by the page that shows it, or by the call', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx'),
  )
  const told = files.filter((file) => shownTwice(readFileSync(source + file, 'utf8')).length > 0)
  expect(told.map((file) => file.replaceAll('\\', '/')).sort()).toEqual(toldByCall)
})

it('finds reads that are told twice', () => {
  const twice = `const query = useCall('a/b', { id })\n if (query.isError) return <ErrorState error={query.error} />`
  expect(shownTwice(twice)).toHaveLength(1)
  expect(shownTwice(twice.replace('{ id }', '{ id }, { quiet: true }'))).toEqual([])
  expect(shownTwice(`const { data, error } = useCall('a/b', {})`)).toHaveLength(1)
  expect(shownTwice(`const { data } = useCall('a/b', {})`)).toEqual([])
})

/** Reads that show a message by themselves, although the code around them looks at their failure. */
function shownTwice(code: string): string[] {
  return [...code.matchAll(/const (\{[^}]*\}|\w+) = (useCall\()/g)].flatMap(
    ({ 0: whole, 1: name = '', index }) => {
      const body = argumentsAt(code, index + whole.length)
      const looks = name.startsWith('{')
        ? /[eE]rror/.test(name)
        : new RegExp(`\\b${name}\\.(isError|error)\\b`).test(code)
      // Options that stand elsewhere are named by a word of their own.
      const isQuiet = /quiet: true|,\s*\w+,?\s*$/.test(body)
      return looks && !isQuiet ? [body] : []
    },
  )
}

/** Up to the bracket that closes them. */
function argumentsAt(code: string, start: number): string {
  let depth = 1
  let end = start
  for (; depth > 0 && end < code.length; end += 1) {
    const letter = code[end] ?? ''
    if ('([{'.includes(letter)) depth += 1
    if (')]}'.includes(letter)) depth -= 1
  }
  return code.slice(start, end - 1)
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const folders = ['web/src/locales', 'contract/locales']

/** What a text says in code, as an address or as a param is not read as words. */
const unread = /\{\{[^}]*\}\}|\]\([^)]*\)|`[^`]*`|\$t\([^)]*\)/g

/** Wording that sounds translated, and what to write instead. */
const habits: Record<string, [RegExp, string][]> = {
  en: [
    [/\bpictures?\b(?!s?\.\w|\/)/i, 'image'],
    [/\banew\b/i, 'again'],
    [/\b(?:go|goes|went) on\b/i, 'continue'],
    [/\bby (?:itself|themselves)\b/i, 'automatically, or on its own'],
    [/\bfor good\b/i, 'permanently'],
    [/\btell your (?:support|administrator)\b/i, 'contact support, contact your administrator'],
    [/\bwhoever\b/i, 'anyone who, the person who'],
    [/\bshall\b/i, 'should'],
    [/\b(?:begun|began)\b/i, 'started'],
    [/\bkindred\b/i, 'similar'],
    [/\bmend(?:ed|s)?\b/i, 'correct, repair'],
    [/\blearnt\b/i, 'learned'],
    [/\b(?:kept|left) aside\b|\bheld-back\b/i, 'held out, excluded, validation images'],
  ],
  zh: [[/图片/, '图像']],
}

/** The agreement is a printed document with editions of its own; in the Chinese social centre people send photos. */
const excepted = [/\/agreement\.json$/, /zh\/social\//]

it.each(Object.keys(habits))('the texts in %s keep to the common wording', (language) => {
  const found = folders
    .flatMap((folder) => filesOf(join(root, folder, language)))
    .flatMap(wordingOf(language))
  expect(found).toEqual([])
})

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
    .filter((path) => !excepted.some((one) => one.test(path)))

const wordingOf = (language: string) => (path: string) =>
  stringsOf(JSON.parse(readFileSync(path, 'utf8'))).flatMap((text) =>
    (habits[language] ?? [])
      .filter(([pattern]) => pattern.test(text.replace(unread, '')))
      .map(([pattern, better]) => `${path.slice(root.length + 1)}: ${text} (${pattern.source}: ${better})`),
  )

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}

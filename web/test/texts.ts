/** Reads the locale files and finds where the sources use their keys. For the locale test alone. */
import { readdirSync, readFileSync } from 'node:fs'

export type Texts = Record<string, string>
/** A key, or with `isPrefix` its beginning, used in a file that names the namespaces `from`. */
export type Use = { key: string; isPrefix: boolean; from: string[] }

const folders = ['../src/locales/', '../../contract/locales/'].map((path) => `${import.meta.dirname}/${path}`)

const paths = new Map(
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json'))
      .map((file) => [file.replace(/[\\/](?:.*[\\/])?/, '/').replace('.json', ''), folder + file]),
  ),
)

/** Of every language, so that a file that one of them lacks is found. */
export const namespaces = [...new Set([...paths.keys()].map((name) => name.replace(/^.*\//, '')))].sort()

export function textsOf(language: string, namespace: string): Texts {
  const name = `${language}/${namespace}`
  const texts = read.get(name) ?? readTexts(name)
  read.set(name, texts)
  return texts
}

const read = new Map<string, Texts>()

function readTexts(name: string): Texts {
  const path = paths.get(name)
  // What it holds is checked by the test that asks.
  return path === undefined ? {} : flatten(JSON.parse(readFileSync(path, 'utf8')) as object)
}

export function flatten(value: object, before = ''): Texts {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) =>
      typeof text === 'object' && text !== null
        ? Object.entries(flatten(text, `${before}${key}.`))
        : [[before + key, String(text)]],
    ),
  )
}

/** Every literal first argument of `t(…)` and every `i18nKey`, with the namespaces of the file's `useTranslation`. */
export function usesIn(source: string): Use[] {
  const from = [...source.matchAll(/useTranslation\(\s*(\[[^\]]*\]|'[^']*')/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name),
  )
  const literals = [
    ...source.matchAll(
      /(?:\bt\(|i18nKey=\{?)\s*(?:[^'"`(),{}]*\?\s*)?(['"`])((?:(?!\1).)+)\1(?:\s*:\s*'([^']+)')?/gs,
    ),
  ]
  return literals.flatMap(([, , first = '', second]) =>
    [first, ...(second === undefined ? [] : [second])].map((text) => useOf(text, from)),
  )
}

export function isKnown({ key, isPrefix, from }: Use): boolean {
  const [namespace, name] = key.includes(':')
    ? [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)]
    : [null, key]
  const candidates = namespace === null ? (from.length > 0 ? from : namespaces) : [namespace]
  return candidates.some((candidate) =>
    Object.keys(textsOf('en', candidate)).some((one) =>
      isPrefix ? one.startsWith(name) : one === name || one.replace(/_(one|other)$/, '') === name,
    ),
  )
}

function useOf(text: string, from: string[]): Use {
  const dynamic = text.indexOf('$' + '{')
  return dynamic === -1
    ? { key: text, isPrefix: false, from }
    : { key: text.slice(0, dynamic), isPrefix: true, from }
}

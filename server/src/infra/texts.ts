import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Language } from '@neuroloom/contract/language'

const require = createRequire(import.meta.url)
const read = new Map<string, Readonly<Record<string, string>>>()

/** The texts of a locale file of the contract by their keys, nested ones with dots; read once. */
export function textsOf(name: string, language: Language): Readonly<Record<string, string>> {
  const file = `${language}/${name}.json`
  const known = read.get(file)
  if (known) return known
  const path = require.resolve(`@neuroloom/contract/locales/${file}`)
  const texts = Object.fromEntries(flat('', JSON.parse(readFileSync(path, 'utf8'))))
  read.set(file, texts)
  return texts
}

type Params = Readonly<Record<string, string | number>>

/**
 * Says a text of that file with its `{{params}}` filled in; `{{count, number}}` is written as the language writes numbers.
 * Of a counted thing the form that `count` needs, by the endings that i18next knows: `_one`, `_few`, `_many`, `_other`.
 * A text that is missing is a defect of ours.
 */
export function sayer(name: string, language: Language): (key: string, params?: Params) => string {
  const texts = textsOf(name, language)
  const forms = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (key, params = {}) => {
    const { count } = params
    const text =
      texts[key] ?? (typeof count === 'number' ? texts[`${key}_${forms.select(count)}`] : undefined)
    if (text === undefined) throw new Error(`${language}/${name}.json has no text ${key}`)
    return text.replace(/\{\{(\w+)(, number)?\}\}/g, (_, param: string, isNumber?: string) => {
      const value = params[param] ?? ''
      return isNumber && typeof value === 'number' ? numbers.format(value) : String(value)
    })
  }
}

/** The lines of a text that stands there as a list. */
export function linesOf(name: string, language: Language, key: string): string[] {
  return Object.entries(textsOf(name, language)).flatMap(([path, line]) =>
    path.startsWith(`${key}.`) ? [line] : [],
  )
}

function flat(path: string, value: unknown): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, below]) => flat(path === '' ? key : `${path}.${key}`, below))
}

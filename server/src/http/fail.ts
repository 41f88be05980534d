/** The one way to refuse: `throw fail('plan_limit', { limit })`. Texts and codes come from the contract. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type ErrorName, type ErrorParams, errors } from '@neuroloom/contract/errors'
import { type Language, languages } from '@neuroloom/contract/language'

export class Failure extends Error {
  readonly failure: ErrorName
  readonly params: ErrorParams
  /** Of `invalid`: form fields and the message key of the rule that each breaks. */
  readonly fields: Record<string, string> | undefined

  constructor(failure: ErrorName, params: ErrorParams, fields?: Record<string, string>) {
    super(failure)
    this.name = 'Failure'
    this.failure = failure
    this.params = params
    this.fields = fields
  }
}

export const fail = (name: ErrorName, params: ErrorParams = {}): Failure => new Failure(name, params)

/** `invalid` with the fields that break a rule, each with a message key. */
export const failFields = (fields: Record<string, string>): Failure => new Failure('invalid', {}, fields)

export const codeOf = (name: ErrorName): number => errors[name].code
export const statusOf = (name: ErrorName): number => errors[name].status

/** The failure as a sentence in the caller's language. */
export function textOf(name: ErrorName, params: ErrorParams, language: Language): string {
  const text = texts[language][name] ?? texts.en[name] ?? name
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, param: string) => {
    const value = String(params[param] ?? '')
    // A membership level stands in the sentence by its name.
    return param === 'level' ? (texts[language][`level_${value}`] ?? value) : value
  })
}

const require = createRequire(import.meta.url)

const texts = Object.fromEntries(languages.map((language) => [language, readTexts(language)])) as Record<
  // `Object.fromEntries` forgets that every language has an entry.
  Language,
  Record<string, string>
>

/** Read as a file: Node 20 warns about importing JSON. */
function readTexts(language: Language): Record<string, string> {
  const path = require.resolve(`@neuroloom/contract/locales/${language}/errors.json`)
  // A flat object of strings; a contract test checks the locale files.
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
}

/** The words on the product's controls, to press them in any language. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../stack.ts'
import type { Language } from './words.ts'

/** `textOf('ru', 'runs', 'train.start')`. */
export function textOf(language: Language, namespace: string, key: string): string {
  const file = join(root, 'web/src/locales', language, `${namespace}.json`)
  const texts: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const text = key.split('.').reduce<unknown>((branch, name) => {
    // A branch of a locale file holds texts and branches by their names.
    return typeof branch === 'object' && branch !== null ? (branch as Record<string, unknown>)[name] : null
  }, texts)
  if (typeof text !== 'string') throw new Error(`no text ${language} ${namespace}:${key}`)
  return text
}

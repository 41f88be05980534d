/** What controls are called in each language, read from the texts themselves: tests say by hand only what is to be read. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './stack.ts'

export const languages = ['en', 'zh', 'ru'] as const
export type Language = (typeof languages)[number]
/** The whole text of a key; two Chinese characters on a button stand apart. */
export type Words = (namespace: string, key: string) => RegExp

export const wordsOf =
  (language: Language): Words =>
  (namespace, key) => {
    const path = join(root, 'web/src/locales', language, `${namespace}.json`)
    const text = key.split('.').reduce<unknown>(partOf, JSON.parse(readFileSync(path, 'utf8')))
    if (typeof text !== 'string') throw new Error(`${language}/${namespace} has no text ${key}`)
    const letters = /^\p{Script=Han}{2}$/u.test(text) ? [...text].join('\\s?') : escaped(text)
    // An icon before it has a name of its own.
    return new RegExp(`(^|\\s)${letters}\\s*$`)
  }

const partOf = (value: unknown, key: string): unknown => Object(value)[key]

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

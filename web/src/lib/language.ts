/** The language in use: English, Chinese or Russian, kept in this browser, and where addresses name it. Loads no texts. */
import type { Language } from '@neuroloom/contract/language'

export const languages = ['en', 'zh', 'ru'] as const satisfies readonly Language[]

/** Each language in its own words. */
export const languageNames: Record<Language, string> = { en: 'English', zh: '中文', ru: 'Русский' }

/** The specification names it so, for the session; the copy in `localStorage` outlives tabs and sign-outs. */
const KEY = 'theLanguage'

/** Tags for `<html lang>` and Intl. */
export const languageTags: Record<Language, string> = { en: 'en-GB', zh: 'zh-CN', ru: 'ru-RU' }

/**
 * What was chosen in this tab, else in this browser before, else the first of the browser's own languages that the product
 * speaks. `build/first-script.ts` decides by the same order before anything is drawn.
 */
export function storedLanguage(): Language {
  const candidates = [
    sessionStorage.getItem(KEY),
    localStorage.getItem(KEY),
    ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()),
  ]
  return candidates.map(knownLanguage).find((language) => language !== undefined) ?? 'en'
}

export function storeLanguage(language: Language): void {
  sessionStorage.setItem(KEY, language)
  localStorage.setItem(KEY, language)
}

/** For the next visits of this browser, whoever comes; no choice of this tab. */
export const rememberLanguage = (language: Language): void => localStorage.setItem(KEY, language)

/** Whether somebody chose one in this tab, by the list or by an address. */
export const hasTabLanguage = (): boolean => knownLanguage(sessionStorage.getItem(KEY)) !== undefined

const knownLanguage = (name: string | null): Language | undefined =>
  languages.find((language) => language === name)

/** `/zh/about` → zh; null where an address names no language. */
export function namedLanguage(pathname: string): Language | null {
  const [first] = pathname.split('/').filter((part) => part !== '')
  return languages.find((language) => language === first && language !== 'en') ?? null
}

/** A public page's address in a language, which English leaves out: `/about` → `/zh/about`. */
export function inLanguage(path: string, language: Language): string {
  if (language === 'en') return path
  return path === '/' ? `/${language}` : `/${language}${path}`
}

/** The other way round: `/zh/about` → `/about`. */
export function withoutLanguage(pathname: string): string {
  const language = namedLanguage(pathname)
  if (language === null) return pathname
  return pathname.slice(language.length + 1) || '/'
}

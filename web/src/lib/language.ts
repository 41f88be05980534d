/** The language in use: English, Chinese or Russian, kept for the browser session. Loads no texts. */
import type { Language } from '@neuroloom/contract/language'

export const languages = ['en', 'zh', 'ru'] as const satisfies readonly Language[]

/** Each language in its own words. */
export const languageNames: Record<Language, string> = { en: 'English', zh: '中文', ru: 'Русский' }

/** Tags for `<html lang>` and Intl. */
export const languageTags: Record<Language, string> = { en: 'en-GB', zh: 'zh-CN', ru: 'ru-RU' }

export function storedLanguage(): Language {
  const stored = sessionStorage.getItem('theLanguage')
  return languages.find((language) => language === stored) ?? 'en'
}

export function storeLanguage(language: Language): void {
  sessionStorage.setItem('theLanguage', language)
}

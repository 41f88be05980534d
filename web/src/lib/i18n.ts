/** Texts in three languages: a namespace is a locale file, loaded when a page first asks for it. Holds no texts itself. */
import type { Language } from '@neuroloom/contract/language'
import i18next, { type BackendModule, type ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { languages, languageTags, storedLanguage, storeLanguage } from './language.ts'

/** Called once, before the first render. */
export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', mark)
  await i18next
    .use(localeFiles)
    .use(initReactI18next)
    .init({
      lng: storedLanguage(),
      fallbackLng: false,
      supportedLngs: languages,
      ns: ['common'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    })
}

export async function setLanguage(language: Language): Promise<void> {
  storeLanguage(language)
  await i18next.changeLanguage(language)
}

export function currentLanguage(): Language {
  return languages.find((language) => language === i18next.language) ?? 'en'
}

/** For Intl. */
export const currentTag = (): string => languageTags[currentLanguage()]

type LocaleFile = { default: ResourceKey }
const files = import.meta.glob<LocaleFile>(['../locales/*/*.json', '../../../contract/locales/*/*.json'])

const localeFiles: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    const ending = `/locales/${language}/${namespace}.json`
    const path = Object.keys(files).find((name) => name.endsWith(ending))
    const load = path === undefined ? undefined : files[path]
    if (load === undefined) return done(new Error(`No locale file ${language}/${namespace}.json`), null)
    load().then(
      (file) => done(null, file.default),
      (error: Error) => done(error, null),
    )
  },
}

function mark(language: string): void {
  const known = languages.find((one) => one === language)
  if (known) document.documentElement.lang = languageTags[known]
}

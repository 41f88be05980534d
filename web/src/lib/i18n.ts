/** Texts in three languages: a namespace is a locale file, loaded when a page first asks for it. Holds no texts itself. */
import type { Language } from '@neuroloom/contract/language'
import i18next, { type BackendModule, type Resource, type ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { lastingly } from './bring.ts'
import {
  hasTabLanguage,
  languages,
  languageTags,
  namedLanguage,
  rememberLanguage,
  storeLanguage,
} from './language.ts'

type Start = {
  language: Language
  /** Known already, by namespace: what a page was rendered ahead with. */
  texts?: Resource[string]
}

/** Called once, before the first render. */
export async function startI18n({ language, texts = {} }: Start): Promise<void> {
  i18next.on('languageChanged', mark)
  await i18next
    .use(localeFiles)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      supportedLngs: languages,
      ns: ['common', ...Object.keys(texts)],
      resources: { [language]: texts },
      partialBundledLanguages: true,
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    })
}

export async function setLanguage(language: Language): Promise<void> {
  storeLanguage(language)
  await i18next.changeLanguage(language)
}

/** Without keeping it: what is shown by the order of `storedLanguage` is no choice of this tab. */
export async function showLanguage(language: Language): Promise<void> {
  await i18next.changeLanguage(language)
}

/** That of an account, at its sign-in: unless one was chosen in this tab, or the address names one. */
export async function takeLanguage(language: Language | null): Promise<void> {
  if (language === null || hasTabLanguage() || namedLanguage(location.pathname) !== null) return
  rememberLanguage(language)
  await showLanguage(language)
}

export function currentLanguage(): Language {
  return languages.find((language) => language === i18next.language) ?? 'en'
}

/** For Intl. */
export const currentTag = (): string => languageTags[currentLanguage()]

/** One list a language, fetched with the first text that a page does not bring along: together they are long. */
const lists = {
  en: () => import('./locale-files/en.ts'),
  zh: () => import('./locale-files/zh.ts'),
  ru: () => import('./locale-files/ru.ts'),
}
const tutorials = () => import('./locale-files/tutorials.ts')

/** One locale file as it was written, for who searches in it. */
export async function loadTexts(language: Language, namespace: string): Promise<ResourceKey> {
  const { files } = await (namespace.startsWith('tutorial-') ? tutorials() : lists[language]())
  const path = Object.keys(files).find(
    (name) => name.includes(`/${language}/`) && name.endsWith(`/${namespace}.json`),
  )
  const load = path === undefined ? undefined : files[path]
  if (load === undefined) throw new Error(`No locale file ${language}/${namespace}.json`)
  return (await load()).default
}

const localeFiles: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    const known = languages.find((one) => one === language)
    if (known === undefined) return done(new Error(`No language ${language}`), null)
    // Without its texts a part would show their keys, for good.
    lastingly(() => loadTexts(known, namespace)).then(
      (texts) => done(null, texts),
      (error: Error) => done(error, null),
    )
  },
}

function mark(language: string): void {
  const known = languages.find((one) => one === language)
  // Rendering ahead has no document.
  if (known && typeof document !== 'undefined') document.documentElement.lang = languageTags[known]
}

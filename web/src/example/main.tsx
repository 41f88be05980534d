/** The page that people take along with a network: "try it" without the product, beside `model.onnx` on any web server. */
import type { Language } from '@neuroloom/contract/language'
import i18next from 'i18next'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { initReactI18next, useTranslation } from 'react-i18next'
import { TryFailure } from '../features/try/failure.ts'
import { Try } from '../features/try/try.tsx'
import en from '../locales/en/try.json'
import ru from '../locales/ru/try.json'
import zh from '../locales/zh/try.json'
import 'virtual:tokens.css'
import '../ui/theme.css'
import styles from './example.module.css'

const names: Record<Language, string> = { en: 'English', zh: '中文', ru: 'Русский' }

/** One folder up: the Python example takes the same file. */
const MODEL = '../model.onnx'

await i18next.use(initReactI18next).init({
  lng: wishedLanguage(),
  fallbackLng: 'en',
  defaultNS: 'try',
  resources: { en: { try: en }, zh: { try: zh }, ru: { try: ru } },
  interpolation: { escapeValue: false },
})
const root = document.getElementById('root')
if (!root) throw new Error('the page has no root')
createRoot(root).render(
  <StrictMode>
    <Example />
  </StrictMode>,
)

function Example() {
  const { t, i18n } = useTranslation('try')
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{t('title')}</h1>
        <nav>
          {Object.entries(names).map(([language, name]) => (
            <button
              key={language}
              type="button"
              lang={language}
              aria-pressed={i18n.language === language}
              onClick={() => void i18n.changeLanguage(language)}
            >
              {name}
            </button>
          ))}
        </nav>
      </header>
      <Try load={loadModel} className={asNamed} />
    </div>
  )
}

/** Outside of the component: `Try` loads anew when it is another one. */
async function loadModel(onShare: (share: number) => void): Promise<Uint8Array> {
  const response = await fetch(MODEL).catch((error: unknown) => {
    throw new TryFailure('no_link', { cause: error })
  })
  if (!response.ok) throw new TryFailure('no_link')
  const bytes = new Uint8Array(await response.arrayBuffer())
  onShare(1)
  return bytes
}

const asNamed = (name: string): string => name

function wishedLanguage(): string {
  const wished = navigator.languages.map((tag) => tag.slice(0, 2))
  return wished.find((language) => language in names) ?? 'en'
}

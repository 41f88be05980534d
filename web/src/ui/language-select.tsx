/** Chooses the language. As wide as the specification says: 85 English, 115 Russian, 68 Chinese. */
import { useTranslation } from 'react-i18next'
import { currentLanguage, setLanguage } from '../lib/i18n.ts'
import { languageNames, languages } from '../lib/language.ts'
import styles from './language-select.module.css'

const widths = { en: 85, zh: 68, ru: 115 } as const

export function LanguageSelect({ dark = false }: { dark?: boolean }) {
  const { t } = useTranslation('common')
  const language = currentLanguage()
  return (
    <select
      className={`${styles.select} ${dark ? styles.dark : ''}`}
      style={{ width: widths[language] }}
      aria-label={t('language')}
      value={language}
      onChange={(event) => {
        const chosen = languages.find((one) => one === event.target.value)
        if (chosen) void setLanguage(chosen)
      }}
    >
      {languages.map((one) => (
        <option key={one} value={one}>
          {languageNames[one]}
        </option>
      ))}
    </select>
  )
}

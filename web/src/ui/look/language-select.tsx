/** Chooses the language. As wide as the specification says: 85 English, 115 Russian, 68 Chinese. */
import type { Language } from '@neuroloom/contract/language'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../lib/i18n.ts'
import { languageNames, languages } from '../../lib/language.ts'
import { chooseLanguage } from '../../lib/own-language.ts'
import styles from './language-select.module.css'

const widths = { en: 85, zh: 68, ru: 115 } as const

type Props = {
  dark?: boolean
  /** Where a language has an address of its own. */
  onChoose?: (language: Language) => void
}

export function LanguageSelect({
  dark = false,
  onChoose = (language) => void chooseLanguage(language),
}: Props) {
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
        if (chosen) onChoose(chosen)
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

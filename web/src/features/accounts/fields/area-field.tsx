import type { AreaNode } from 'virtual:areas/*'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../../lib/i18n.ts'
import { areaOf, listsAlong } from './area-lists.ts'
import styles from './field.module.css'
import { Select } from './select-field.tsx'

const levels = ['province', 'city', 'district'] as const
const OTHER = 'other'

type AreaFieldProps = {
  id: string
  /** Codes of province, city and district, joined by '/'; '' until the last list has been answered. */
  value: string
  problem: string | null
  onChange: (area: string) => void
  onBlur: () => void
}

/** Province, city and district in China; as many lists as the place has levels. */
export function AreaField({ id, value, problem, onChange, onBlur }: AreaFieldProps) {
  const { t } = useTranslation('member')
  const areas = useAreas()
  // A beginning is kept here: only the whole way is the form's.
  const [path, setPath] = useState(() => value.split('/').filter(Boolean))
  const shown = value === '' ? path : value.split('/')
  const lists = areas === null ? [] : listsAlong(areas, shown)
  const choose = (level: number, code: string) => {
    const next = [...shown.slice(0, level), code].filter(Boolean)
    setPath(next)
    onChange(areaOf(areas ?? [], next))
  }
  return (
    <fieldset className={`${styles.field} ${styles.group} ${problem === null ? '' : styles.wrong}`}>
      <legend className={styles.label}>{t('field.area')}</legend>
      <div className={styles.areas} aria-busy={areas === null}>
        {levels.slice(0, Math.max(1, lists.length)).map((level, index) => (
          <Select
            key={level}
            id={index === 0 ? id : `${id}-${level}`}
            name={t(`areas.${level}`)}
            value={shown[index] ?? ''}
            problem={problem}
            options={[
              ...(lists[index] ?? []).map(([code, label]) => ({ value: code, label })),
              { value: OTHER, label: t('areas.other') },
            ]}
            onChange={(code) => choose(index, code)}
            onBlur={onBlur}
          />
        ))}
      </div>
      {problem !== null && (
        <p className={styles.problem} id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

/** In words: "Guangdong, Shenzhen, Nanshan District"; '' until the names have loaded. */
export function useAreaText(value: string): string {
  const { t } = useTranslation('member')
  const areas = useAreas(value !== '')
  if (areas === null || value === '') return ''
  const codes = value.split('/')
  return codes
    .map((code, index) => {
      if (code === OTHER) return t('areas.other')
      const list = listsAlong(areas, codes)[index] ?? []
      return list.find(([one]) => one === code)?.[1] ?? ''
    })
    .filter(Boolean)
    .join(', ')
}

const loaders = {
  en: () => import('virtual:areas/en'),
  zh: () => import('virtual:areas/zh'),
  ru: () => import('virtual:areas/ru'),
} as const

function useAreas(isWanted = true): AreaNode[] | null {
  const [areas, setAreas] = useState<AreaNode[] | null>(null)
  // Renders anew when the language changes.
  useTranslation('member')
  const language = currentLanguage()
  useEffect(() => {
    if (!isWanted) return
    let isCurrent = true
    loaders[language]().then(
      (loaded) => isCurrent && setAreas(loaded.areas),
      (error: unknown) => console.error(error),
    )
    return () => {
      isCurrent = false
    }
  }, [language, isWanted])
  return areas
}

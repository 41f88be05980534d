import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentTag } from '../../../lib/i18n.ts'
import { regionNames } from '../../../lib/region-names.ts'
import { type Area, areasIn } from './calling-codes.ts'
import styles from './country-field.module.css'
import fieldStyles from './field.module.css'
import { describedBy, Field } from './field.tsx'

type CountryFieldProps = {
  id: string
  label: string
  /** ISO code; '' = none chosen. */
  value: string
  problem: string | null
  onChange: (region: string) => void
  onBlur: () => void
}

/** A country by its name in the page's language: typed in part, then chosen. */
export function CountryField({ id, label, value, problem, onChange, onBlur }: CountryFieldProps) {
  const { t } = useTranslation('accounts')
  const { text, isOpen, found, at, list, ...handlers } = useCountrySearch(value, onChange)
  const listId = useId()
  return (
    <Field id={id} label={label} problem={problem}>
      <div className={`${fieldStyles.box} ${fieldStyles.choice} ${styles.anchor}`}>
        <input
          {...describedBy(id, problem)}
          className={fieldStyles.input}
          role="combobox"
          autoComplete="off"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && found[at] ? `${listId}-${found[at].region}` : undefined}
          placeholder={t('field.search')}
          value={text}
          onChange={({ target }) => handlers.search(target.value)}
          onClick={handlers.open}
          onKeyDown={handlers.press}
          onBlur={() => {
            handlers.close()
            onBlur()
          }}
        />
        {isOpen && (
          <div className={styles.list} id={listId} role="listbox" aria-label={label} ref={list}>
            {found.map((country, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the option
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
              <div
                key={country.region}
                id={`${listId}-${country.region}`}
                role="option"
                aria-selected={country.region === value}
                data-active={index === at}
                className={styles.option}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => handlers.choose(country)}
              >
                {country.name}
              </div>
            ))}
            {found.length === 0 && <p className={styles.none}>{t('field.nothing')}</p>}
          </div>
        )}
      </div>
    </Field>
  )
}

function useCountrySearch(value: string, onChange: (region: string) => void) {
  const countries = useCountries()
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const chosen = countries.find(({ region }) => region === value)
  const found = matching(countries, typed ?? '')
  const isOpen = typed !== null

  const moveTo = (index: number) => {
    setAt(index)
    list.current?.children[index]?.scrollIntoView?.({ block: 'nearest' })
  }
  const open = () => {
    if (isOpen) return
    setTyped('')
    setAt(
      Math.max(
        0,
        countries.findIndex(({ region }) => region === value),
      ),
    )
  }
  const choose = ({ region }: Area) => {
    onChange(region)
    setTyped(null)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const last = found.length - 1
    if (event.key === 'Escape' && isOpen) {
      // The dialog around stays open.
      event.stopPropagation()
      return setTyped(null)
    }
    if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      return found[at] && choose(found[at])
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    if (!isOpen) return open()
    moveTo(Math.min(last, Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1))))
  }
  return {
    // While it is open but nothing is typed yet, the choice stays to be seen.
    text: typed === null || typed === '' ? (chosen?.name ?? typed ?? '') : typed,
    isOpen,
    found,
    at,
    list,
    open,
    choose,
    press,
    close: () => setTyped(null),
    search: (text: string) => {
      setTyped(text)
      setAt(0)
      if (text === '') onChange('')
    },
  }
}

/** Sorted once for each language. */
function useCountries(): (Area & { english: string })[] {
  // Renders anew when the language changes.
  useTranslation('accounts')
  const tag = currentTag()
  return useMemo(() => {
    const english = regionNames('en')
    return areasIn(tag).map((area) => ({ ...area, english: english(area.region) }))
  }, [tag])
}

/** By the beginning of any word of the name, in the page's language or in English; the best first. */
function matching<Country extends Area & { english: string }>(
  countries: Country[],
  typed: string,
): Country[] {
  const text = typed.trim().toLowerCase()
  if (text === '') return countries
  const names = (country: Country) => [country.name.toLowerCase(), country.english.toLowerCase()]
  const begins = countries.filter((one) => names(one).some((name) => name.startsWith(text)))
  const holds = countries.filter(
    (one) => !begins.includes(one) && names(one).some((name) => name.includes(text)),
  )
  return [...begins, ...holds]
}

import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './field.module.css'
import { describedBy, Field } from './field.tsx'
import tagStyles from './tags-field.module.css'

type TagsFieldProps = {
  id: string
  label: string
  /** Joined by semicolons, as it is stored. */
  value: string
  problem: string | null
  onChange: (value: string) => void
  onBlur: () => void
}

/** Several short texts: Enter or a semicolon ends one. */
export function TagsField({ id, label, value, problem, onChange, onBlur }: TagsFieldProps) {
  const { t } = useTranslation('accounts')
  const [text, setText] = useState('')
  const [twice, setTwice] = useState<string | null>(null)
  const noteId = useId()
  const tags = value === '' ? [] : value.split(';')
  const add = (typed: string) => {
    const given = [...tags, ...typed.split(/[;；]/).map((one) => one.trim())].filter((one) => one !== '')
    const all = given.filter((one, index) => given.indexOf(one) === index)
    setTwice(given.find((one, index) => given.indexOf(one) < index) ?? null)
    if (all.length > tags.length) onChange(all.join(';'))
    setText('')
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault()
      add(text)
    }
    if (event.key === 'Backspace' && text === '') onChange(tags.slice(0, -1).join(';'))
  }
  return (
    <Field id={id} label={label} problem={problem} isOptional>
      <div className={`${styles.box} ${tagStyles.box}`}>
        {tags.map((tag) => (
          <span key={tag} className={tagStyles.tag}>
            {tag}
            <button
              type="button"
              aria-label={t('field.removeTag', { tag })}
              onClick={() => onChange(tags.filter((one) => one !== tag).join(';'))}
            >
              ×
            </button>
          </span>
        ))}
        <input
          aria-describedby={noteId}
          {...describedBy(id, problem)}
          className={styles.input}
          autoComplete="off"
          value={text}
          onChange={({ target }) => (/[;；]/.test(target.value) ? add(target.value) : setText(target.value))}
          onKeyDown={press}
          onBlur={() => {
            add(text)
            onBlur()
          }}
        />
      </div>
      <p className={styles.note} id={noteId} role="status">
        {twice === null ? t('field.tags') : t('field.tagTwice', { tag: twice })}
      </p>
    </Field>
  )
}

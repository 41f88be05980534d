import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { findPage } from '../features/site/search.ts'
import { currentLanguage } from '../lib/i18n.ts'
import { toast } from '../lib/toast.ts'
import { SearchIcon } from '../ui/pictograms.tsx'
import styles from './site-search.module.css'

/** Looks for typed text on the public pages and goes to the first that has it. */
export function SiteSearch({ onFound }: { onFound?: () => void }) {
  const { t } = useTranslation('workspace')
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const search = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return toast.warning(t('search.empty'))
    const page = await findPage(text, currentLanguage())
    if (page === null) return toast.warning(t('search.notFound'))
    setText('')
    onFound?.()
    await navigate(page)
  }
  return (
    <search>
      <form className={styles.search} onSubmit={(event) => void search(event)}>
        <input
          type="search"
          value={text}
          maxLength={100}
          placeholder={t('search.hint')}
          aria-label={t('search.label')}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" aria-label={t('search.go')}>
          <SearchIcon />
        </button>
      </form>
    </search>
  )
}

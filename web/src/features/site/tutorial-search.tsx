import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { facts } from './facts.ts'
import { folded, textsIn, wordsOf } from './search-text.ts'
import { SiteLink } from './site-link.tsx'
import styles from './tutorial-search.module.css'
import { tutorialNames, tutorialTexts } from './tutorials.ts'

const shownResults = 20
const around = 70

type Place = { to: string; page: string; title: string; text: string }

/** Finds words in all tutorials while they are typed. */
export function TutorialSearch() {
  const { t } = useTranslation('tutorial')
  const id = useId()
  const [query, setQuery] = useState('')
  const words = wordsOf(query)
  const places = usePlaces()
  const found = words.length === 0 ? [] : places.filter((place) => holds(place, words))
  return (
    <search className={styles.search}>
      <label htmlFor={id}>{t('search.label')}</label>
      <input
        id={id}
        type="search"
        value={query}
        maxLength={100}
        placeholder={t('search.hint')}
        autoComplete="off"
        onChange={({ target }) => setQuery(target.value)}
      />
      <p className={styles.count} aria-live="polite">
        {words.length > 0 &&
          (found.length === 0 ? t('search.none') : t('search.found', { count: found.length }))}
      </p>
      {found.length > 0 && (
        <ol className={styles.results}>
          {found.slice(0, shownResults).map((place) => (
            <li key={place.to}>
              <SiteLink to={place.to}>
                {place.page} · {place.title}
              </SiteLink>
              <p>
                <Excerpt text={place.text} words={words} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </search>
  )
}

/** Every section of every tutorial. */
function usePlaces(): Place[] {
  const { t } = useTranslation(['tutorial', ...tutorialNames.map(tutorialTexts)])
  return tutorialNames.flatMap((name) => {
    // The shape of these files is checked by a test.
    const sections = t(`${tutorialTexts(name)}:sections`, {
      returnObjects: true,
      ...facts(),
    }) as unknown as Record<string, { title: string; blocks: unknown }>
    return Object.entries(sections).map(([anchor, { title, blocks }]) => ({
      to: `/tutorial/${name}#${anchor}`,
      page: t(`pages.${name}.title`),
      title,
      text: textsIn(blocks).join(' '),
    }))
  })
}

function holds({ page, title, text }: Place, words: readonly string[]): boolean {
  const all = folded(`${page} ${title} ${text}`)
  return words.every((word) => all.includes(word))
}

/** The text around the first word that it holds, the word marked. */
function Excerpt({ text, words }: { text: string; words: readonly string[] }) {
  const small = folded(text)
  const [word = ''] = words.filter((one) => small.includes(one))
  const at = small.indexOf(word)
  // Rare letters change their length when folded; then nothing is marked rather than the wrong place.
  if (word === '' || small.length !== text.length) return `${text.slice(0, 2 * around)} …`
  const start = Math.max(0, at - around)
  const end = at + word.length
  return (
    <>
      {start > 0 && '… '}
      {text.slice(start, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end, end + around)}
      {end + around < text.length && ' …'}
    </>
  )
}

import { createElement, Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './article.module.css'
import { pictureNames } from './article-pictures.ts'
import { ArticleTable } from './article-table.tsx'
import type { ArticleText, Block, Section } from './article-text.ts'
import type { DrawnName } from './drawn-texts.ts'
import { useHead } from './head.ts'
import { Inline } from './inline.tsx'
import { Picture } from './picture.tsx'

type ArticleProps = {
  text: ArticleText
  /** Shown above the title, such as the way back to a list. */
  above?: ReactNode
  /** What follows the text of a section, by the section's name. */
  after?: Record<string, ReactNode>
  /** Draws what the text names, for pages that have such parts: what the contract lists is long. */
  drawn?: (name: DrawnName) => ReactNode
  children?: ReactNode
}

/** A public page of text: title, contents beside it, sections with anchors; good to print. */
export function Article({ text, above, after = {}, drawn, children }: ArticleProps) {
  useHead(text)
  const sections = Object.entries(text.sections)
  return (
    <article className={styles.article}>
      <header className={styles.head}>
        {above}
        <h1>{text.title}</h1>
        <p className={styles.lead}>
          <Inline text={text.lead} />
        </p>
      </header>
      <div className={styles.columns}>
        <Contents sections={sections} />
        <div className={styles.text}>
          {sections.map(([name, section]) => (
            <section key={name} aria-labelledby={name} className={styles.section}>
              <Heading name={name} title={section.title} />
              <Blocks blocks={section.blocks} drawn={drawn} />
              {after[name]}
            </section>
          ))}
          <PrintButton />
          {children}
        </div>
      </div>
    </article>
  )
}

function Contents({ sections }: { sections: [string, Section][] }) {
  const { t } = useTranslation('site')
  return (
    <nav className={styles.contents} aria-label={t('article.contents')}>
      <p>{t('article.contents')}</p>
      <ul>
        {sections.map(([name, { title }]) => (
          <li key={name}>
            <a href={`#${name}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Heading({ name, title }: { name: string; title: string }) {
  const { t } = useTranslation('site')
  return (
    <h2 id={name}>
      {title}
      <a className={styles.anchor} href={`#${name}`} aria-label={t('article.anchor', { title })}>
        #
      </a>
    </h2>
  )
}

type Drawing = ArticleProps['drawn'] | undefined

/** Static texts need no keys: they never change places. */
function Blocks({ blocks, drawn }: { blocks: readonly Block[]; drawn: Drawing }) {
  return createElement(Fragment, null, ...blocks.map((block) => shown(block, drawn)))
}

function shown(block: Block, drawn: Drawing): ReactNode {
  if (typeof block === 'string') {
    return (
      <p>
        <Inline text={block} />
      </p>
    )
  }
  if ('list' in block) return <ul>{items(block.list)}</ul>
  if ('steps' in block) return <ol className={styles.steps}>{items(block.steps)}</ol>
  if ('code' in block) return <pre className={styles.code}>{block.code}</pre>
  if ('table' in block) return <ArticleTable {...block.table} />
  if ('picture' in block) return <Pictures texts={block.picture} />
  if ('drawn' in block) return drawn?.(block.drawn)
  return (
    <p className={styles.note}>
      <Inline text={block.note} />
    </p>
  )
}

const items = (texts: readonly string[]) =>
  texts.map((text) => (
    <li key={text}>
      <Inline text={text} />
    </li>
  ))

function Pictures({ texts }: { texts: Partial<Record<string, string>> }) {
  return pictureNames
    .filter((name) => name in texts)
    .map((name) => <Picture key={name} name={name} text={texts[name] ?? ''} />)
}

function PrintButton() {
  const { t } = useTranslation('site')
  return (
    <button type="button" className={styles.print} onClick={() => void print()}>
      <svg width="18" height="18" viewBox="0 0 18 18" fill="none" aria-hidden="true">
        <path
          d="M5 6.5V2.5h8v4M5 12.5H3a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-2M5 10.5h8v5H5z"
          stroke="currentColor"
          strokeWidth="1.4"
          strokeLinejoin="round"
        />
      </svg>
      {t('article.print')}
    </button>
  )
}

/** With all pictures, also those that nobody has scrolled to yet. */
async function print(): Promise<void> {
  const pictures = [...document.querySelectorAll('img')]
  for (const picture of pictures) picture.loading = 'eager'
  // One that cannot be loaded holds nothing up.
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => undefined)))
  window.print()
}

import { useTranslation } from 'react-i18next'
import type { PictureName } from './article-pictures.ts'
import type { DrawnName } from './drawn-texts.ts'
import { facts } from './facts.ts'

/** A paragraph, or one of the shapes that a page may need; texts may hold **bold**, `code` and [links](/tool). */
export type Block =
  | string
  | { list: string[] }
  | { steps: string[] }
  | { note: string }
  | { code: string }
  | { table: { head: string[]; rows: string[][] } }
  | { picture: { [name in PictureName]?: string } }
  /** What the contract lists, and this version therefore can do. */
  | { drawn: DrawnName }

export type Section = { title: string; blocks: Block[] }

/** What a locale file holds for one page of text. */
export type ArticleText = {
  title: string
  /** For search engines and shared links. */
  description: string
  lead: string
  sections: Record<string, Section>
}

/** An article of a locale file. Of one that lists name too, title and description stand in the file of the list, below `listed`. */
export function useArticle(namespace: string, listed = `${namespace}:`): ArticleText {
  const { t } = useTranslation(namespace)
  const read = (key: string): unknown => t(key, { returnObjects: true, ...facts() })
  // The shape of these files is checked by a test.
  return {
    title: read(`${listed}title`),
    description: read(`${listed}description`),
    lead: read('lead'),
    sections: read('sections'),
  } as ArticleText
}

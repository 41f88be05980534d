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

/** Where a page says something else in some place: the lead, and the sections of these names. */
type Variant = Partial<Pick<ArticleText, 'lead' | 'sections'>>

/**
 * An article of a locale file. Of one that lists name too, title and description stand in the file of the list, below
 * `listed`. Each of `variants` is a name in the file, with what is said in place of the rest.
 */
export function useArticle(
  namespace: string,
  { listed = `${namespace}:`, variants = [] }: { listed?: string; variants?: readonly string[] } = {},
): ArticleText {
  const { t } = useTranslation([namespace, listed.slice(0, listed.indexOf(':'))])
  const read = (key: string): unknown => t(key, { returnObjects: true, ...facts() })
  // The shape of these files is checked by a test.
  const article = {
    title: read(`${listed}title`),
    description: read(`${listed}description`),
    lead: read('lead'),
    sections: read('sections'),
  } as ArticleText
  // As above.
  const changes = variants.map((name) => read(name) as Variant)
  return {
    ...article,
    lead: changes.findLast(({ lead }) => lead !== undefined)?.lead ?? article.lead,
    sections: Object.assign({}, article.sections, ...changes.map(({ sections }) => sections)),
  }
}

import type { Language } from '@neuroloom/contract/language'
import { loadTexts } from '../../lib/i18n.ts'
import { type DrawnName, drawnTexts } from './drawn-texts.ts'
import { facts } from './facts.ts'
import { folded, textsIn } from './search-text.ts'

/** The pages that the search of the workspace looks through, in this order (specification, section 2). */
const searched = ['about', 'description', 'tool', 'scenes', 'step', 'consult'] as const
export type FoundPage = `/${(typeof searched)[number]}`

/** The first public page whose text holds what was typed; null where none does. */
export async function findPage(text: string, language: Language): Promise<FoundPage | null> {
  const wanted = folded(text).trim().replaceAll(/\s+/g, ' ')
  if (wanted === '') return null
  for (const name of searched) {
    const own = await loadTexts(language, name)
    const drawn = await Promise.all(drawnIn(own).map((file) => loadTexts(language, file)))
    const texts = textsIn([own, drawn]).map((one) => folded(filled(one)))
    if (texts.some((one) => one.includes(wanted))) return `/${name}`
  }
  return null
}

/** Locale files of what the page draws from the contract. */
function drawnIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if ('drawn' in value) return isDrawn(value.drawn) ? [...drawnTexts[value.drawn]] : []
  return [...new Set(Object.values(value).flatMap(drawnIn))]
}

const isDrawn = (name: unknown): name is DrawnName => typeof name === 'string' && name in drawnTexts

/** With the numbers that the page shows. */
function filled(text: string): string {
  const known = facts()
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => known[name] ?? whole)
}

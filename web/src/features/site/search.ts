import type { Language } from '@neuroloom/contract/language'
import { loadTexts } from '../../lib/i18n.ts'
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
    const texts = textsIn(await loadTexts(language, name)).map((one) => folded(filled(one)))
    if (texts.some((one) => one.includes(wanted))) return `/${name}`
  }
  return null
}

/** With the numbers that the page shows. */
function filled(text: string): string {
  const known = facts()
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => known[name] ?? whole)
}

import type { Answer } from '@neuroloom/contract/calls'
import { type FoundPage, findPage } from '../features/site/search.ts'
import { call } from '../lib/api.ts'
import { currentLanguage } from '../lib/i18n.ts'

export type Found = Answer<'search/all'> & {
  page: FoundPage | null
  /** Why there is nothing of the member's own, if that could not be asked. */
  error: unknown
}

/** The first public page that holds the text, and what the member has by that name. */
export async function searchAll(text: string): Promise<Found> {
  const [page, own] = await Promise.all([
    findPage(text, currentLanguage()),
    call('search/all', { text }, { quiet: true }).catch((error: unknown) => ({ ...nothing, error })),
  ])
  return { error: null, ...own, page }
}

const nothing: Answer<'search/all'> = { projects: [], files: [], networks: [], runs: [], covers: {} }

export const ownCount = ({ projects, files, networks, runs }: Found): number =>
  projects.length + files.length + networks.length + runs.length

import type { Entry, FileFilter, Sort } from '@neuroloom/contract/files'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTyped } from '../../../ui/hooks/use-typed.ts'
import { storedSingles, storeSingles } from '../series-files.ts'
import { type FolderQuestion, useFolder } from './use-folder.ts'

/** What a folder's page needs to know: where it is, what is in it, and what of that is asked for. */
export function useFolderPage(folderId: string | null) {
  const { text: search, setText: setSearch, settled } = useTyped()
  useSearchOfAddress(setSearch)
  const [below, setBelow] = useState(false)
  const [filter, setFilter] = useState<FileFilter>('all')
  const [order, setOrder] = useState<{ sort: Sort; descending: boolean }>({ sort: 'name', descending: false })
  const [areSingle, setAreSingle] = useState(storedSingles)
  const question: FolderQuestion = {
    ...{ search: settled, below: below && settled !== '', filter, ...order },
    series: areSingle ? 'counted' : 'rows',
  }
  const query = useFolder(folderId, question)
  const first = query.data?.pages[0]
  const pages = query.data?.pages
  const entries: Entry[] = useMemo(() => pages?.flatMap((page) => page.entries) ?? [], [pages])
  const isWhole = settled === '' && search === '' && filter === 'all'
  return {
    folderId,
    query,
    entries,
    total: first?.total ?? 0,
    withheld: first?.withheld ?? 0,
    folder: first?.folder ?? null,
    path: first?.path ?? [],
    access: first?.access ?? 'view',
    place: first?.place ?? null,
    search,
    setSearch,
    below,
    setBelow,
    filter,
    setFilter,
    order,
    setOrder,
    /** DICOM series in the folder, and whether they are shown as their files. */
    seriesCount: first?.series ?? 0,
    areSingle,
    setAreSingle: (next: boolean) => {
      storeSingles(next)
      setAreSingle(next)
    },
    showAll: () => {
      setSearch('')
      setFilter('all')
    },
    isEmpty: query.isSuccess && entries.length === 0 && isWhole,
  }
}

/** `&search=` shows what is called so, from elsewhere or on the page itself; what is typed afterwards counts. */
function useSearchOfAddress(setSearch: (text: string) => void): void {
  const [params] = useSearchParams()
  const wanted = params.get('search')
  useEffect(() => {
    if (wanted !== null) setSearch(wanted)
  }, [wanted, setSearch])
}

export type FolderPage = ReturnType<typeof useFolderPage>

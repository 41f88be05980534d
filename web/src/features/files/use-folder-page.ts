import type { Entry } from '@neuroloom/contract/files'
import { useEffect, useState } from 'react'
import { useFolder } from './use-folder.ts'

/** Long enough to type a word, short enough not to be felt. */
const typingMs = 250

/** What a folder's page needs to know: where it is, what is in it, and what is searched for. */
export function useFolderPage(folderId: string | null) {
  const [search, setSearch] = useState('')
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(search.trim()), search === '' ? 0 : typingMs)
    return () => clearTimeout(timer)
  }, [search])
  const query = useFolder(folderId, settled)
  const first = query.data?.pages[0]
  const entries: Entry[] = query.data?.pages.flatMap((page) => page.entries) ?? []
  return {
    folderId,
    query,
    entries,
    total: first?.total ?? 0,
    folder: first?.folder ?? null,
    path: first?.path ?? [],
    search,
    setSearch,
    isEmpty: query.isSuccess && entries.length === 0 && settled === '' && search === '',
  }
}

export type FolderPage = ReturnType<typeof useFolderPage>

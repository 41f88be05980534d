import type { Entry, FileFilter, Sort } from '@neuroloom/contract/files'
import { files as limits } from '@neuroloom/contract/limits'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../../../lib/api.ts'
import { isImage, isScan } from '../file-kind.ts'

/** What of a folder is wanted, and in which order. */
export type FolderQuestion = {
  search?: string
  /** Also in the folders below. */
  below?: boolean
  sort?: Sort
  descending?: boolean
  filter?: FileFilter
  /** DICOM series: as files; as files, and counted; as one entry each. */
  series?: 'files' | 'counted' | 'rows'
}

/** A folder page by page. Asks again, gently and not for ever, while pictures lack their thumbnail. */
export function useFolder(
  folderId: string | null,
  question: FolderQuestion = {},
  { enabled = true }: { enabled?: boolean } = {},
) {
  const polls = useRef({ total: -1, count: 0 })
  return useInfiniteQuery({
    queryKey: ['files/list', { folderId, ...question }, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('files/list', { folderId, ...question, after: pageParam }, { quiet: true, signal }),
    enabled,
    initialPageParam: null as string | null, // Otherwise inferred as null alone.
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? []
      if (!pages.some((page) => page.entries.some(lacksThumbnail))) return false
      const total = pages[0]?.total ?? 0
      // New files begin the count anew; a broken picture alone must not be asked for all day.
      if (total !== polls.current.total) polls.current = { total, count: 0 }
      polls.current.count += 1
      if (polls.current.count > limits.thumbnailPolls) return false
      return limits.thumbnailPollMs * pages.length
    },
  })
}

const lacksThumbnail = (entry: Entry) =>
  entry.thumbnail === null && entry.sizeBytes > 0 && (isImage(entry) || isScan(entry))

/** Server data in the pages: reads are cached by [path, body], actions refresh the reads they touch. */
import type { Answer, Body, Path } from '@neuroloom/contract/calls'
import {
  type InfiniteData,
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { type CallOptions, call, NetworkError } from './api.ts'

type ReadOptions<P extends Path> = Pick<CallOptions, 'quiet'> &
  Pick<
    UseQueryOptions<Answer<P>, Error>,
    'enabled' | 'refetchInterval' | 'staleTime' | 'gcTime' | 'initialData'
  > & {
    /** Keeps showing the last answer while another body's loads (search, paging). */
    keepPrevious?: boolean
  }

export function useCall<P extends Path>(
  path: P,
  body: Body<P>,
  { quiet = false, keepPrevious = false, ...options }: ReadOptions<P> = {},
): UseQueryResult<Answer<P>, Error> {
  return useQuery<Answer<P>, Error>({
    queryKey: [path, body],
    queryFn: ({ signal }) => call(path, body, { quiet, signal }),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...options,
  })
}

/** Calls that answer a page at a time: `after` in, `next` out. */
type PagedPath = {
  [P in Path]: Answer<P> extends { next: infer Next }
    ? Body<P> extends { after?: Next | undefined }
      ? P
      : never
    : never
}[Path]

type Pages<P extends PagedPath> = UseInfiniteQueryResult<
  InfiniteData<Answer<P>, string | number | null>,
  Error
>

/** A list that grows page by page. */
export function usePages<P extends PagedPath>(path: P, body: Omit<Body<P>, 'after'>): Pages<P> {
  return useInfiniteQuery({
    queryKey: [path, body, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      // Body and its page together are what the call takes; that is beyond the checker. The first page has no `after`.
      call(path, (pageParam === null ? body : { ...body, after: pageParam }) as unknown as Body<P>, {
        quiet: true,
        signal,
      }),
    initialPageParam: null as string | number | null,
    getNextPageParam: (page) => (page as { next: string | number | null }).next,
    placeholderData: keepPreviousData,
  })
}

/** The whole of a list that comes in pages, for choices and names: fetched on until its end. */
export function useAllPages<P extends PagedPath>(path: P, body: Omit<Body<P>, 'after'>): Pages<P> {
  const query = usePages(path, body)
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  return query
}

type ActionOptions<P extends Path> = Pick<CallOptions, 'quiet'> & {
  refresh: readonly Path[]
  onDone?: (answer: Answer<P>, body: Body<P>) => void
  onFailed?: (error: Error, body: Body<P>) => void
}

export function useAction<P extends Path>(
  path: P,
  { refresh, onDone, onFailed, quiet = false }: ActionOptions<P>,
): UseMutationResult<Answer<P>, Error, Body<P>> {
  const queries = useQueryClient()
  return useMutation<Answer<P>, Error, Body<P>>({
    mutationFn: (body) => call(path, body, { quiet }),
    onSuccess: (answer, body) => {
      refreshPaths(queries, refresh)
      onDone?.(answer, body)
    },
    ...(onFailed ? { onError: onFailed } : {}),
  })
}

/** Marks every cached read of these paths as old; visible ones load anew. */
export function refreshPaths(queries: QueryClient, paths: readonly Path[]): void {
  const isCounted = paths.some((path) => counted.has(path))
  for (const path of isCounted ? [...paths, 'plans/used' as const] : paths) void refresh(queries, path)
}

/** What limits of the membership are about: where one of these changes, so may what is used of them. */
const counted = new Set<Path>([
  'projects/list',
  'files/list',
  'files/groups',
  'runs/list',
  'plans/shared',
  'social/groups',
])

async function refresh(queries: QueryClient, path: Path): Promise<void> {
  const queryKey = [path]
  // A first answer that is still under way may be from before; the library would wait for it and take it for new.
  await queries.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined })
  await queries.invalidateQueries({ queryKey })
}

/** The server may stand in the same house, or on the same computer: what a browser takes for "offline" says nothing of it. */
const lines = { networkMode: 'always' } as const

export function makeQueryClient(): QueryClient {
  // Switched off since the page was opened: what the pages offer is asked again.
  const onError = (error: Error): void => {
    if (error.name === 'module_off') void refresh(queries, 'setting/public')
  }
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        ...lines,
        refetchOnReconnect: true,
        // The server's "no" stays a no; only one that is out of reach, or has no time, is asked again.
        retry: (count, error) => (error instanceof NetworkError || error.name === 'busy') && count < 2,
      },
      mutations: { retry: false, ...lines },
    },
  })
  return queries
}

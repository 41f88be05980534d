import type { TextEncoding } from '@neuroloom/contract/names/encodings'
import type { Unpack } from '@neuroloom/contract/uploads'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { call } from '../../../lib/api.ts'
import { refreshPaths, useCall } from '../../../lib/query.ts'
import { useUser } from '../../../lib/session.ts'

/** So often while something is being unpacked. */
const pollMs = 1500

export type Unpacks = {
  list: readonly Unpack[]
  stop: (id: string) => void
  dismiss: (ids: string[]) => void
}

const isOpen = ({ state }: Unpack): boolean => state === 'waiting' || state === 'working'

/** Archives of this member that are being unpacked, and reports not put away. */
export function useUnpacks(): Unpacks {
  const queries = useQueryClient()
  const user = useUser()
  const { data } = useCall('files/unpacks', {}, { quiet: true, enabled: user !== null, refetchInterval: 0 })
  const list = data?.unpacks ?? []
  const isBusy = list.some(isOpen)
  const done = list.reduce((sum, { doneFiles, state }) => sum + doneFiles + (state === 'done' ? 1 : 0), 0)
  const before = useRef(done)

  useEffect(() => {
    if (!isBusy) return
    const timer = setInterval(() => refreshPaths(queries, ['files/unpacks']), pollMs)
    return () => clearInterval(timer)
  }, [isBusy, queries])

  // Something has come out: lists of files show it.
  useEffect(() => {
    if (before.current !== done) refreshPaths(queries, ['files/list', 'user/size'])
    before.current = done
  }, [done, queries])

  const refresh = () => refreshPaths(queries, ['files/unpacks', 'files/list'])
  return {
    list,
    // Refusals are told by the call.
    stop: (id) => void call('files/stopUnpack', { id }).then(refresh, refresh),
    dismiss: (ids) => void call('files/dismissUnpack', { ids }, { quiet: true }).then(refresh, refresh),
  }
}

/** Has the server unpack a stored archive, its old names read as said, or as is likeliest (null); the upload panel shows how far it is. Refusals are told by the call. */
export function useUnpackArchive(): (id: string, encoding: TextEncoding | null) => void {
  const queries = useQueryClient()
  return useCallback(
    (id, encoding) => {
      const refresh = () => refreshPaths(queries, ['files/unpacks'])
      call('files/unpack', { id, encoding }).then(refresh, refresh)
    },
    [queries],
  )
}

import type { Answer } from '@neuroloom/contract/calls'
import { rounds as limits } from '@neuroloom/contract/limits'
import {
  type Round,
  type RoundMarkDeed,
  roundMarksNewsSchema,
  roundStateNewsSchema,
} from '@neuroloom/contract/social/rounds'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { CallError, call } from '../../../lib/api.ts'
import { useLive } from '../../../lib/live.ts'
import { refreshPaths, useCall } from '../../../lib/query.ts'
import { makeSync, type RoundMode } from './round-sync.ts'

/** A case round while its page is open: what is shown and marked, and who leads. */
export function useRound(roundId: string, ownId: string) {
  const queries = useQueryClient()
  const query = useCall('round/show', { roundId }, { quiet: true, refetchInterval: keepsAsking })
  const { data: round, refetch } = query
  const [isFollowing, setIsFollowing] = useState(true)
  const sync = useMemo(
    () => makeSync({ pauseMs: limits.stateMs, send: (news) => sendState(queries, roundId, news) }),
    [queries, roundId],
  )
  const { connected } = useLive(
    { kind: 'round', id: roundId },
    {
      onEvent: ({ type, data }) => {
        if (type === 'state') {
          const news = roundStateNewsSchema.safeParse(data)
          if (news.success) sync.receive(news.data)
        } else if (type === 'marks') {
          const news = roundMarksNewsSchema.safeParse(data)
          if (news.data?.marks) keepMarks(queries, roundId, { ...news.data, marks: news.data.marks })
          else void refetch()
        } else void refetch()
      },
    },
  )
  const isLoaded = round !== undefined
  useEffect(() => {
    // What passed before the line stood is fetched.
    if (connected && isLoaded) void refetch()
  }, [connected, isLoaded, refetch])
  const isLeader = round?.leader?.id === ownId
  const mode: RoundMode = isLeader ? 'lead' : isFollowing ? 'follow' : 'free'
  useEffect(() => {
    if (round) sync.receive(round)
  }, [round, sync])
  useEffect(() => sync.setMode(mode), [mode, sync])
  useEffect(
    () => () => {
      void call('round/leave', { roundId }, { quiet: true }).catch(() => undefined)
    },
    [roundId],
  )
  const mark = useCallback(
    async (change: RoundMarkDeed) => {
      showAtOnce(queries, roundId, change)
      try {
        keepMarks(queries, roundId, await call('round/mark', { roundId, change }))
      } catch {
        // The call has told why; what stands there is shown again.
        void refetch()
      }
    },
    [queries, roundId, refetch],
  )
  return { query, sync, mode, isLeader, isFollowing, setIsFollowing, mark }
}

/** The page is present as long as it asks; a round that is over, or not there, is asked for no more. */
const keepsAsking = ({ state }: { state: { error: Error | null } }): number | false =>
  isGone(state.error) ? false : limits.presentMs

export const isGone = (error: Error | null): boolean =>
  error instanceof CallError && ['case_round_over', 'case_round_missing'].includes(error.name)

type News = Parameters<Parameters<typeof makeSync>[0]['send']>[0]

async function sendState(queries: QueryClient, roundId: string, news: News): Promise<number> {
  try {
    return (await call('round/state', { roundId, ...news }, { quiet: true })).stateCount
  } catch (error) {
    // Somebody else leads by now, or it is over.
    if (error instanceof CallError) refreshPaths(queries, ['round/show'])
    throw error
  }
}

const changeRound = (queries: QueryClient, roundId: string, change: (round: Round) => Round): void => {
  queries.setQueryData<Round>(['round/show', { roundId }], (round) => round && change(round))
}

function keepMarks(queries: QueryClient, roundId: string, { markCount, marks }: Answer<'round/mark'>): void {
  changeRound(queries, roundId, (round) =>
    markCount < round.markCount ? round : { ...round, markCount, marks },
  )
}

/** So that a mark stays where it was let go; the server's answer takes its place. */
function showAtOnce(queries: QueryClient, roundId: string, change: RoundMarkDeed): void {
  if (change.deed !== 'move') return
  const { number, points } = change
  changeRound(queries, roundId, (round) => ({
    ...round,
    marks: round.marks.map((one) => (one.number === number ? { ...one, points } : one)),
  }))
}

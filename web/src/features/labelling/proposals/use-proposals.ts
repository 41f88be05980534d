/** What a network proposes on the image: followed until it is there, drawn, and taken or refused object by object. */
import type { Judgement, Proposal, ProposedObject } from '@neuroloom/contract/labelling/proposals'
import { client } from '@neuroloom/contract/limits'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useCall } from '../../../lib/query.ts'
import { useBench, useDesk } from '../editor/use-bench.ts'
import type { OpenedReading } from '../journal/opening.ts'
import { drawObjects, ringsOn } from './draw.ts'
import { becameOf, boundsOf, type Taken, take } from './taking.ts'

export type Proposals = {
  proposal: Proposal | null
  open: readonly ProposedObject[]
  chosen: number | null
  choose: (number: number) => void
  accept: (numbers: readonly number[]) => void
  refuse: (numbers: readonly number[]) => void
  ask: () => void
}

/** After a change of the marks, so long until it is looked whether something taken was mended. */
const LOOK_MS = 500
/** Told once the answer is on its way. */
type Judged = ReadonlyMap<number, Judgement>

export function useProposals({ set, item }: OpenedReading): Proposals {
  const bench = useBench()
  const query = useCall(
    'labelling/proposal',
    { itemId: item.id },
    {
      quiet: true,
      refetchInterval: ({ state }) => (state.data?.proposal?.state === 'waiting' ? client.pollMs : false),
    },
  )
  const proposal = query.data?.proposal ?? null
  const [judged, setJudged] = useState<Judged>(new Map())
  const [chosen, setChosen] = useState<number | null>(null)
  const proposalId = proposal?.id ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: another proposal has other objects; its own word counts once
  useEffect(() => {
    setJudged(new Map(proposal?.judged.map(({ number, judgement }) => [number, judgement])))
    setChosen(null)
  }, [proposalId])
  const open = useMemo(
    () => (proposal?.state === 'ready' ? proposal.objects.filter(({ number }) => !judged.has(number)) : []),
    [proposal, judged],
  )
  const say = useCallback(
    (said: { number: number; judgement: Judgement | null }[]) => {
      if (said.length === 0) return
      setJudged((before) => {
        const next = new Map(before)
        for (const { number, judgement } of said)
          if (judgement === null) next.delete(number)
          else next.set(number, judgement)
        return next
      })
      // The call tells why it failed; what was drawn is in the journal all the same.
      call('labelling/judge', { proposalId, judged: said }).catch(() => undefined)
    },
    [proposalId],
  )
  const wish = useMemo(
    () => ({ proposalId, marks: set.marks, isOneTag: set.oneTag }),
    [proposalId, set.marks, set.oneTag],
  )
  const taken = useRef(new Map<number, Taken>())
  const choose = useCallback(
    (number: number) => {
      setChosen(number)
      const object = proposal?.objects.find((one) => one.number === number)
      if (object?.shape.kind === 'region') bench.goTo(2, middleOf(object))
    },
    [bench, proposal],
  )
  const accept = useCallback(
    (numbers: readonly number[]) => {
      if (!bench.isWritable) return
      for (const number of numbers) {
        const object = open.find((one) => one.number === number)
        if (object) taken.current.set(number, take(bench, object, wish))
      }
      say(numbers.map((number) => ({ number, judgement: 'accepted' })))
    },
    [bench, open, say, wish],
  )
  const refuse = useCallback(
    (numbers: readonly number[]) => say(numbers.map((number) => ({ number, judgement: 'refused' }))),
    [say],
  )
  useMended({ taken: taken.current, judged, say, wish })
  useEffect(() => {
    bench.drawBelowTool = (context, pane) => drawObjects(bench, { context, pane }, { objects: open, chosen })
    bench.renewAbove()
    return () => {
      bench.drawBelowTool = null
    }
  }, [bench, open, chosen])
  useProposalKeys({ open, chosen, choose, accept, refuse })
  return { proposal, open, chosen, choose, accept, refuse, ask: () => void query.refetch() }
}

type Mended = {
  taken: Map<number, Taken>
  judged: Judged
  say: (said: { number: number; judgement: Judgement | null }[]) => void
  wish: Parameters<typeof becameOf>[2]
}

/** Taken, and then changed by hand, is mended; taken back, it is open again. */
function useMended({ taken, judged, say, wish }: Mended): void {
  const bench = useBench()
  const version = useDesk((desk) => desk.version)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the marks is looked at
  useEffect(() => {
    if (taken.size === 0) return
    const timer = setTimeout(() => {
      const said = [...taken].flatMap(([number, one]) => {
        const judgement = becameOf(bench, one, wish)
        return judged.get(number) === judgement ? [] : [{ number, judgement }]
      })
      for (const { number, judgement } of said) if (judgement === null) taken.delete(number)
      say(said)
    }, LOOK_MS)
    return () => clearTimeout(timer)
  }, [bench, version, judged, say, wish])
}

type Keys = Pick<Proposals, 'open' | 'chosen' | 'choose' | 'accept' | 'refuse'>

/** N goes on to the next one, Y takes it, X refuses it. */
function useProposalKeys({ open, chosen, choose, accept, refuse }: Keys): void {
  useEffect(() => {
    if (open.length === 0) return
    const at = open.findIndex(({ number }) => number === chosen)
    const following = open[(at + 1) % open.length]?.number
    const handle = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
      const key = event.key.toLowerCase()
      if (key !== 'n' && key !== 'y' && key !== 'x') return
      event.preventDefault()
      const current = at >= 0 ? chosen : open[0]?.number
      if (key !== 'n' && current !== null && current !== undefined) (key === 'y' ? accept : refuse)([current])
      if (following !== undefined && (key === 'n' || open.length > 1)) choose(following)
    }
    window.addEventListener('keydown', handle)
    return () => window.removeEventListener('keydown', handle)
  }, [open, chosen, choose, accept, refuse])
}

const TYPING =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [role="dialog"], [role="listbox"]'

/** The slice where it is largest. */
function middleOf(object: ProposedObject): number {
  if (object.shape.kind !== 'region') return 0
  const areas = object.shape.slices.map(({ slice }) => {
    const { left, right, top, bottom } = boundsOf(ringsOn(object, slice))
    return { slice, area: (right - left) * (bottom - top) }
  })
  return areas.reduce((most, one) => (one.area > most.area ? one : most), areas[0] ?? { slice: 0, area: 0 })
    .slice
}

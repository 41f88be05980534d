import { markKinds } from '@neuroloom/contract/image-view'
import { client, files as fileLimits, rounds as limits } from '@neuroloom/contract/limits'
import { type Round, type RoundState, roundStateSchema } from '@neuroloom/contract/social/rounds'
import type { View } from '@neuroloom/contract/viewing'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Told, type ViewLink, ViewLinkContext } from '../../features/files/viewer/beside/view-link.ts'
import { Shown } from '../../features/files/viewer/file-view.tsx'
import { type SharedMarks, SharedMarksContext } from '../../features/files/viewer/measure/shared-marks.ts'
import { type ImageView, plainView } from '../../features/files/viewer/view-address.ts'
import type { RoundSync } from '../../features/social/rounds/round-sync.ts'
import type { useRound } from '../../features/social/rounds/use-round.ts'
import { useCall } from '../../lib/query.ts'
import { addressOf, nothingOver, rounded } from './image-only.ts'

type Props = { round: Round; ownId: string; opened: ReturnType<typeof useRound> }

/** The image of a round in the viewer: moved by the leader, marked by whoever may. */
export function RoundImage({ round, ownId, opened: { sync, mark, isLeader } }: Props) {
  const query = useCall(
    'round/view',
    { roundId: round.id },
    {
      ...{ quiet: true, keepPrevious: true, staleTime: fileLimits.linkMs / 2 },
      refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? client.pollMs : false),
    },
  )
  const link = useMemo(() => linkOf(sync), [sync])
  const marks = useSharedMarks({ round, ownId, mark, isLeader })
  return (
    <ViewLinkContext value={link}>
      <SharedMarksContext value={marks}>
        <Image key={query.data?.state} query={query} round={round} sync={sync} />
      </SharedMarksContext>
    </ViewLinkContext>
  )
}

type ImageProps = { query: Parameters<typeof Shown>[0]['query']; round: Round; sync: RoundSync }

function Image({ query, round: { title, state }, sync }: ImageProps) {
  const { data: view } = query
  const [start] = useState(() => startOf({ ...state, ...sync.now() }, view))
  const place = useMemo(
    () => ({
      isSeries: view?.series?.isShown ?? false,
      start,
      title,
      isImageOnly: true,
      over: nothingOver,
      addressOf,
    }),
    [view?.series?.isShown, start, title],
  )
  return <Shown query={query} place={place} />
}

/** The viewer's link of images that are moved together, to those on other people's pages. */
function linkOf(sync: RoundSync): ViewLink {
  return {
    tell(_from, told) {
      const part = roundStateSchema.safeParse(told)
      if (part.success) sync.move(part.data)
    },
    hear: (_own, listener) => sync.hear((state) => listener(toldOf(state))),
    join: () => () => undefined,
  }
}

/** Without what is not said. */
const toldOf = ({ part, sight, window, plane, frame }: RoundState): Told => ({
  ...(part && { part }),
  ...(sight && { sight }),
  ...(window && { window }),
  ...(plane && { plane }),
  ...(frame !== undefined && { frame }),
})

/** How the image is first shown: where the leader is now. */
function startOf({ part, sight, window, plane, frame }: RoundState, view: View | undefined): ImageView {
  const [width = 1, height = 1] = view?.facts?.size ?? []
  const pan: ImageView['pan'] = part
    ? [part.middle[0] * width, part.middle[1] * height, 0, part.by]
    : sight
      ? [...sight.pan.by, sight.pan.zoom]
      : null
  return {
    ...plainView,
    ...{ plane: plane ?? null, voxel: sight?.cross.voxel ?? null, frame: frame ?? 0 },
    ...{ window: window?.ends ?? null, pan },
  }
}

type MarksOptions = Pick<Props, 'round' | 'ownId'> & Pick<Props['opened'], 'mark' | 'isLeader'>

function useSharedMarks({ round, ownId, mark, isLeader }: MarksOptions): SharedMarks {
  const { t } = useTranslation('social-rounds')
  const { marks, people, host, allMark } = round
  const isChair = isLeader || host.id === ownId
  return useMemo(() => {
    const authors = new Map(marks.map(({ number, authorId }) => [number, authorId]))
    const names = new Map([...people, host].map(({ id, nickName }) => [id, nickName]))
    const isOwn = (number: number): boolean => authors.get(number) === ownId
    return {
      list: marks,
      change: (deed) => {
        if (deed.deed === 'undo' || deed.deed === 'redo') return
        if (deed.deed === 'add') {
          const { kind, plane, slice, frame, points } = deed.mark
          void mark({ deed: 'add', mark: { kind, plane, slice, frame, points: points.map(rounded) } })
        } else if (deed.deed === 'move') void mark({ ...deed, points: deed.points.map(rounded) })
        else void mark(deed)
      },
      canSet: isChair || allMark,
      canChange: ({ number }) => (isChair || allMark) && isOwn(number),
      canRemove: ({ number }) => isChair || (allMark && isOwn(number)),
      authorOf: ({ number }) =>
        isOwn(number) ? t('you') : names.get(authors.get(number) ?? '') || t('somebody'),
      nameLength: limits.markNameLength,
      kinds: markKinds,
    }
  }, [marks, people, host, allMark, isChair, ownId, mark, t])
}

import { imageViews, type OverlayView } from '@neuroloom/contract/image-view'
import { client, files as limits } from '@neuroloom/contract/limits'
import type { Overlay, OverlayCandidate } from '@neuroloom/contract/reading/overlays'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useLive } from '../../../../lib/live.ts'
import { useUser } from '../../../../lib/session.ts'
import { useViewPlace } from '../view-place.ts'
import type { LabelBytes } from './labels.ts'
import type { Laid } from './overlays-from.ts'

export type ShownOverlay = OverlayView & {
  /** Null until the server has answered. */
  overlay: Overlay | null
  bytes: LabelBytes | null
  /** Labels that are neither shown nor listed. */
  nothing: readonly number[]
  isFailed: boolean
}
export type Overlays = ReturnType<typeof useOverlays>

/** Which masks and labels lie over the image, and how each is shown. */
export function useOverlays() {
  const { over, start } = useViewPlace()
  const user = useUser()
  const [views, setViews] = useState<readonly OverlayView[]>(start.overlays)
  const queries = useQueries({
    queries: views.map(({ id }) => ({
      queryKey: ['overlay', ...over.key, id],
      queryFn: ({ signal }: { signal: AbortSignal }) => over.lay(id, signal),
      staleTime: limits.linkMs / 2,
      // News that it is ready may be lost with the line.
      refetchInterval: ({ state }: { state: { data?: Laid | undefined } }) =>
        state.data?.overlay.state === 'preparing' ? client.pollMs : (false as const),
    })),
  })
  useLive(user && over.liveId !== null && views.length > 0 ? { kind: 'user', id: user.id } : null, {
    onEvent: ({ type, data }) => {
      if (type === 'view' && data.id === over.liveId) for (const query of queries) void query.refetch()
    },
  })
  const shown = views.map(
    (view, index): ShownOverlay => ({
      ...view,
      overlay: queries[index]?.data?.overlay ?? null,
      bytes: queries[index]?.data?.bytes ?? null,
      nothing: queries[index]?.data?.nothing ?? [],
      isFailed: queries[index]?.isError ?? false,
    }),
  )
  return {
    shown,
    views,
    /** The first mask is filled, the second an outline: both are seen where they meet. Boxes are seen through. */
    add: ({ id, kind }: Pick<OverlayCandidate, 'id' | 'kind'>) =>
      setViews((before) => {
        if (before.length >= imageViews.overlays || before.some((one) => one.id === id)) return before
        const isFilled = kind === 'mask' && !before.some((one) => one.isFilled)
        return [...before, { id, isFilled, opacity: usualOpacity(isFilled), hidden: [] }]
      }),
    change: (id: string, change: Partial<OverlayView>) =>
      setViews((before) => before.map((one) => (one.id === id ? { ...one, ...change } : one))),
    remove: (id: string) => setViews((before) => before.filter((one) => one.id !== id)),
  }
}

/** What lies below is seen through an area, but not through a line. */
export const usualOpacity = (isFilled: boolean): number => (isFilled ? 0.45 : 0.9)

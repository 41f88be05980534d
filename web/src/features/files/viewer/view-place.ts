/** Where an image is looked at: how it is first shown, which address leads back to a view, where its lists are put. */
import type { SeriesWish } from '@neuroloom/contract/viewing'
import { createContext, useContext, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { OverlaysFrom } from './overlay/overlays-from.ts'
import { type ImageView, plainView, viewOfText } from './view-address.ts'

export type ViewPlace = {
  isSeries: boolean
  /** What may lie over the image, and where it comes from. */
  over: OverlaysFrom
  /** From the address, as long as it names this file. */
  start: ImageView
  addressOf: (view: string) => string
  /** What is seen here, where that is more than the file's name. */
  title?: string
  /** A visitor of a link can neither upload nor export a file anew. */
  isVisitor?: boolean
  /** The image alone is given: no masks beside it, and no address that leads back to it. */
  isImageOnly?: boolean
  /** Beside the image, above what is known of it. */
  side: HTMLElement | null
}

const nowhere: ViewPlace = {
  isSeries: false,
  over: {
    key: [],
    liveId: null,
    candidates: async () => [],
    lay: () => Promise.reject(new Error('there is no image')),
  },
  start: plainView,
  addressOf: () => '',
  side: null,
}

export const ViewPlaceContext = createContext(nowhere)
export const useViewPlace = (): ViewPlace => useContext(ViewPlaceContext)

/** Without a word of the address a slice brings its series; a view that was passed on shows what was seen. */
export const wishOf = (start: ImageView): SeriesWish => (start === plainView ? 'fits' : start.isSeries)

/** What the address says of how this file is to be shown. */
export function useStart(fileId: string): ImageView {
  const [params] = useSearchParams()
  const view = params.get('file') === fileId ? params.get('view') : null
  return useMemo(() => viewOfText(view) ?? plainView, [view])
}

import { observeElementRect, type Virtualizer } from '@tanstack/react-virtual'

/** In pixels, of a frame that has no height yet. */
const UNKNOWN = 480

type Tell = Parameters<typeof observeElementRect>[1]

/** For lists that draw the rows near what is seen: how large their frame is. */
export const observeSeen = <Frame extends Element, Row extends Element>(
  rows: Virtualizer<Frame, Row>,
  tell: Tell,
) => observeElementRect(rows, ({ width, height }) => tell({ width, height: height || UNKNOWN }))

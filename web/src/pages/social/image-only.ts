/** What the viewer needs where the image alone is given: no masks over it, and no address that leads back. */
export const addressOf = (): string => ''

export const nothingOver = {
  ...{ key: ['image only'], liveId: null },
  candidates: async () => [],
  lay: () => Promise.reject(new Error('nothing lies over an image that is given alone')),
}

export const rounded = ([x, y]: readonly [number, number]): [number, number] => [
  Math.round(x * HUNDREDTHS) / HUNDREDTHS,
  Math.round(y * HUNDREDTHS) / HUNDREDTHS,
]
/** As finely as the viewer keeps points. */
const HUNDREDTHS = 100

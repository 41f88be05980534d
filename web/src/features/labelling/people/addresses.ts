/** Where readings are looked at. */

const imageOf = (setId: string, itemId: string): string =>
  `/labelling?set=${encodeURIComponent(setId)}&item=${encodeURIComponent(itemId)}`

/** All readings of an image side by side. */
export const besideOf = (setId: string, itemId: string): string => `${imageOf(setId, itemId)}&beside`

export const readingOf = (setId: string, itemId: string, readingId: string): string =>
  `${imageOf(setId, itemId)}&reading=${encodeURIComponent(readingId)}`

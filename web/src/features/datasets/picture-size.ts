/** How large the images of data sets are shown, as a person chose at this browser. */
export const sizes = ['small', 'medium', 'large'] as const
export type Size = (typeof sizes)[number]

const KEY = 'pictureSize'

export function rememberedSize(): Size {
  const stored = localStorage.getItem(KEY)
  return sizes.find((size) => size === stored) ?? 'medium'
}

export const rememberSize = (size: Size): void => localStorage.setItem(KEY, size)

/** Sizes and colours of a report on paper. */
export const page = { width: 595, height: 842, side: 42, top: 40, bottom: 44 } as const
export const inner = page.width - 2 * page.side
export const ink = '#1f2937'
export const quiet = '#6b7280'
export const brand = '#0b6e99'
export const rule = '#e5e7eb'
export const TEXT_SIZE = 8

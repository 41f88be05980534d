/** Times as Chinese providers write them: of Shanghai, which keeps no summer time, wherever this server stands. */
import * as z from 'zod'

const OFFSET_MS = 8 * 3_600_000

/** `2026-11-27 09:00:00`. */
export const shanghaiText = (date: Date): string =>
  new Date(date.getTime() + OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')

export const shanghaiTime = z.string().transform((text, ctx) => {
  const date = new Date(`${text.replace(' ', 'T')}+08:00`)
  // There and back: neither another format nor the 31st of February.
  if (!Number.isNaN(date.getTime()) && shanghaiText(date) === text) return date
  ctx.addIssue({ code: 'custom', message: 'no time' })
  return z.NEVER
})

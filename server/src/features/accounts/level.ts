import type { UserRow } from './tables.ts'

const VISITOR = 0
export const ORDINARY = 1

/** A member's level at this moment: after the end of what was given, that of the form that was filled in. */
export function levelAt(
  { vipLevel, vipValid, type }: Pick<UserRow, 'vipLevel'> & Partial<Pick<UserRow, 'vipValid' | 'type'>>,
  now: Date,
): number {
  if (!vipValid || vipValid > now) return vipLevel
  return Math.min(vipLevel, type === 1 ? ORDINARY : VISITOR)
}

/** Until when that level is; null = without end, also where the one that was given is over. */
export const validAt = ({ vipValid }: Pick<UserRow, 'vipValid'>, now: Date): Date | null =>
  vipValid && vipValid > now ? vipValid : null

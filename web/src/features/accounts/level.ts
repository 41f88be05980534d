import type { UserRecord } from '../../lib/session.ts'

export const levels = ['visitor', 'ordinary', 'bronze', 'silver', 'gold'] as const
export type Level = (typeof levels)[number] | 'super'

/** The name of a member's level: locale keys `levels:<name>`. */
export function levelOf({ vipLevel, vipSuper }: Pick<UserRecord, 'vipLevel' | 'vipSuper'>): Level {
  if (vipSuper !== 0) return 'super'
  return levels[vipLevel] ?? 'visitor'
}

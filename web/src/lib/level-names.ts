/** Membership levels by their number, as the texts of `levels` call them. Holds no texts itself. */
import type { UserRecord } from './session.ts'

export const levelNames = ['visitor', 'ordinary', 'bronze', 'silver', 'gold'] as const
type LevelName = (typeof levelNames)[number]

export const levelName = (level: number): LevelName => levelNames[level] ?? 'visitor'

/** Of a member: nothing limits a super member, whatever the level. */
export const levelOf = ({
  vipLevel,
  vipSuper,
}: Pick<UserRecord, 'vipLevel' | 'vipSuper'>): LevelName | 'super' =>
  vipSuper === 0 ? levelName(vipLevel) : 'super'

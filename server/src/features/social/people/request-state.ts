import { social as limits } from '@neuroloom/contract/limits'
import type { Context } from '../../../infra/context.ts'
import type { ApplicationRow } from './tables.ts'

/** Within a day a request reads as sent to whoever sent it, whether or not it was refused: that is not told. */
export const readsAsSent = (ctx: Context, { state, at }: ApplicationRow): boolean =>
  state !== 'accepted' && isRecent(ctx, at)

/** A member who refused is asked again after a day, and not before. */
export const isRefusedStill = (ctx: Context, { state, answeredAt }: ApplicationRow): boolean =>
  state === 'refused' && answeredAt !== null && isRecent(ctx, answeredAt)

const isRecent = (ctx: Context, at: Date): boolean => ctx.now().getTime() - at.getTime() < limits.reapplyMs

import { hasTool, type ToolName, tools } from '@neuroloom/contract/toolbox/toolbox'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import * as plans from '../plans/service.ts'

/** Refuses a tool that the member's level does not have. */
export function requireTool(ctx: Context, user: SessionUser, tool: ToolName): void {
  if (unavailableTo(ctx, user).includes(tool)) throw fail('application_unavailable')
}

export function unavailableTo(ctx: Context, user: SessionUser): ToolName[] {
  const standing = plans.standingOf(ctx, user)
  return tools.filter(({ level }) => !hasTool(standing, level)).map(({ name }) => name)
}

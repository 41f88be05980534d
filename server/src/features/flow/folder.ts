import { join } from 'node:path'
import type { Context } from '../../infra/context.ts'

/** Where work on flow lies: on the store's own disk, so that bytes need no copying. */
export const workFolder = (ctx: Context): string => join(ctx.storage.stagingFolder, 'flow')

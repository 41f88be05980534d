import { join } from 'node:path'
import type { Context } from '../../../infra/context.ts'

/** What was made for showing, by the key of what it shows. */
export const viewFolder = (ctx: Context): string => join(ctx.config.dataDir, 'views')
export const madePath = (ctx: Context, key: string, made: string): string =>
  join(viewFolder(ctx), key.slice(0, 2), key, made)

/** Where the reading program works: on the store's own disk, so that bytes need no copying. */
export const readerFolder = (ctx: Context): string => join(ctx.storage.stagingFolder, 'readers')

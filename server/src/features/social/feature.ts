import type { ExportOf } from '../../infra/archive.ts'
import type { Feature } from '../../infra/feature.ts'
import { mayWatch } from './chats/access.ts'
import * as chats from './chats/own.ts'
import { countGroups } from './groups/groups.ts'
import * as people from './people/own.ts'
import * as posts from './posts/own.ts'
import { rows } from './routes.ts'

const parts = [people, chats, posts]

const exportOf: ExportOf = async function* (ctx, userId) {
  for (const part of parts) yield* part.exportOf(ctx, userId)
}

export const social: Feature = {
  name: 'social',
  rows,
  tells: {
    exportOf,
    async eraseOf(ctx, userId) {
      for (const part of parts) await part.eraseOf(ctx, userId)
    },
    mayWatch: { chat: mayWatch },
    counts: { chatGroups: countGroups },
  },
}

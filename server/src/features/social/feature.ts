import type { ExportOf } from '../../infra/archive.ts'
import type { Feature } from '../../infra/feature.ts'
import { mayWatch } from './chats/access.ts'
import { eraseOf as eraseChats, exportOf as exportChats } from './chats/own.ts'
import { countGroups } from './groups/groups.ts'
import { eraseOf as erasePeople, exportOf as exportPeople } from './people/own.ts'
import { eraseOf as erasePosts, exportOf as exportPosts } from './posts/own.ts'
import { rows } from './routes.ts'

const exportOf: ExportOf = async function* (ctx, userId) {
  for (const exportPart of [exportPeople, exportChats, exportPosts]) yield* exportPart(ctx, userId)
}

export const social: Feature = {
  name: 'social',
  rows,
  tells: {
    exportOf,
    async eraseOf(ctx, userId) {
      for (const erasePart of [erasePosts, eraseChats, erasePeople]) await erasePart(ctx, userId)
    },
    mayWatch: { chat: mayWatch },
    counts: { chatGroups: countGroups },
  },
}

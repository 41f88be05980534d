import type { ExportOf } from '../../infra/archive.ts'
import type { Feature } from '../../infra/feature.ts'
import { eraseOf as eraseImages, exportOf as exportImages } from './attachments/own.ts'
import { raw } from './attachments/rows.ts'
import { mayWatch } from './chats/access.ts'
import { eraseOf as eraseChats, exportOf as exportChats } from './chats/own.ts'
import { countGroups } from './groups/groups.ts'
import { register } from './jobs.ts'
import { grantView as grantOpinion } from './opinions/access.ts'
import { eraseOf as eraseOpinions, exportOf as exportOpinions } from './opinions/own.ts'
import { eraseOf as erasePeople, exportOf as exportPeople } from './people/own.ts'
import { eraseOf as erasePosts, exportOf as exportPosts } from './posts/own.ts'
import { grantView as grantRound, mayWatch as mayWatchRound } from './rounds/access.ts'
import { eraseOf as eraseRounds, exportOf as exportRounds } from './rounds/own.ts'
import { rows } from './routes.ts'

const exportOf: ExportOf = async function* (ctx, userId) {
  for (const exportPart of [
    exportPeople,
    exportChats,
    exportPosts,
    exportImages,
    exportRounds,
    exportOpinions,
  ])
    yield* exportPart(ctx, userId)
}

export const social: Feature = {
  name: 'social',
  rows,
  raw,
  jobs: register,
  tells: {
    bytesKept: [
      { table: 'social_images', column: 'sha256' },
      { table: 'social_images', column: 'preview_sha256' },
      { table: 'social_report_images', column: 'sha256' },
      { table: 'social_report_images', column: 'preview_sha256' },
    ],
    exportOf,
    async eraseOf(ctx, userId) {
      for (const erasePart of [eraseOpinions, eraseRounds, eraseImages, erasePosts, eraseChats, erasePeople])
        await erasePart(ctx, userId)
    },
    mayWatch: { chat: mayWatch, round: mayWatchRound },
    grantsView: { round: grantRound, opinion: grantOpinion },
    counts: { chatGroups: countGroups },
  },
}

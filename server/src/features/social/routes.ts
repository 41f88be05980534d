import { attachmentRows } from './attachments/rows.ts'
import { chatRows } from './chats/rows.ts'
import { groupRows } from './groups/rows.ts'
import { moderationRows } from './moderation/rows.ts'
import { opinionRows } from './opinions/rows.ts'
import { peopleRows } from './people/rows.ts'
import { postRows } from './posts/rows.ts'
import { roundRows } from './rounds/rows.ts'

export const rows = {
  ...peopleRows,
  ...chatRows,
  ...groupRows,
  ...postRows,
  ...attachmentRows,
  ...moderationRows,
  ...roundRows,
  ...opinionRows,
}

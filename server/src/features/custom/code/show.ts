import type { CodeRun, CodeUpload, OfficeCode } from '@neuroloom/contract/custom/code-calls'
import { eq, getTableColumns } from 'drizzle-orm'
import type { Db } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { type CodeRow, type CodeRunRow, codeUploads } from '../tables.ts'

const { entries: _, ...listed } = getTableColumns(codeUploads)
/** Of lists: entries may be thousands. */
export const listedColumns = listed
export type ListedCode = Omit<CodeRow, 'entries'>

export function describeUpload(row: ListedCode): CodeUpload {
  const { id, name, sizeBytes, folders, files, unpackedBytes, state, reason, findings } = row
  return {
    ...{ id, name, sizeBytes, folders, files, unpackedBytes, state, reason, findings },
    isInspected: row.inspectedAt !== null,
    uploadedAt: row.uploadedAt.toISOString(),
    reviewedAt: row.reviewedAt?.toISOString() ?? null,
  }
}

export const uploadsWithMembers = (db: Db) => {
  const { emailKey, phoneKey, nickName } = users
  return db
    .select({ row: listedColumns, member: { emailKey, phoneKey, nickName } })
    .from(codeUploads)
    .leftJoin(users, eq(users.id, codeUploads.userId))
    .$dynamic()
}

type Found = Awaited<ReturnType<typeof uploadsWithMembers>>[number]

export const describeUploadToOffice = ({ row, member }: Found, viewer: { id: string }): OfficeCode => ({
  ...describeUpload(row),
  member: { account: member?.emailKey ?? member?.phoneKey ?? '', nickName: member?.nickName ?? '' },
  isOwn: row.userId === viewer.id,
})

export function describeRun(row: CodeRunRow): CodeRun {
  const { id, path, state, outcome, exitCode, missing, printed, output, startedAt, endedAt } = row
  return {
    ...{ id, path, state, outcome, exitCode, missing, printed, output },
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }
}

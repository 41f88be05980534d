/** What a data set is made of: the files of its folder, or images with labels that were drawn here. */
import type { Labelled } from '@neuroloom/contract/datasets'
import type { Task } from '@neuroloom/contract/task'
import type { Context, WorkerContext } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { requireFolder } from '../files/access.ts'
import { type FileBelow, walk } from '../files/service.ts'
import { contentHashOf } from './content-hash.ts'
import type { Layout } from './recognise/shapes.ts'
import type { DatasetRow } from './tables.ts'

export type Below = { files: FileBelow[]; emptyFolders: string[] }
/** Images by their pinned bytes, labels as stored bytes, and which belongs to which. */
export type LabelledData = { below: Below; layout: Layout | null }

type Asked = { ownerId: string; labelled: Labelled }
export type LabelledFiles = {
  /** Refuses whose labels may not be used; tells whether anything changed since. */
  stamp(db: Db, asked: Asked): Promise<string>
  read(ctx: WorkerContext, asked: Asked & { task: Task | null }): Promise<LabelledData>
}
declare module '../../infra/feature.ts' {
  interface Questions {
    labelledFiles: LabelledFiles
  }
}

/** Tells an unchanged source; refuses one that is not there any more. */
export async function stampOf(
  ctx: Context,
  db: Db,
  { ownerId, folderId, labelled }: Pick<DatasetRow, 'ownerId' | 'folderId' | 'labelled'>,
): Promise<string> {
  if (labelled !== null) return answerOf(ctx).stamp(db, { ownerId, labelled })
  const folder = await requireFolder(db, { id: ownerId }, folderId)
  return contentHashOf(await walk(db, { id: ownerId }, folder.id))
}

/** Null = what names and texts of the folder tell has to be found out. */
export async function readSource(
  ctx: WorkerContext,
  { ownerId, folderId, labelled }: DatasetRow,
  task: Task | null,
): Promise<{ below: Below; layout: Layout | null }> {
  if (labelled !== null) return answerOf(ctx).read(ctx, { ownerId, labelled, task })
  return { below: await walk(ctx.db, { id: ownerId }, folderId), layout: null }
}

function answerOf(ctx: Context): LabelledFiles {
  const [answer] = ctx.told('labelledFiles')
  if (!answer) throw new Error('Nobody knows of labels that were drawn here')
  return answer
}

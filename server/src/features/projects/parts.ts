import type { Project } from '@neuroloom/contract/projects'
import type { Caller } from '../../http/access.ts'
import type { ArchivedFile, ArchivedFolder } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import type { ProjectRow } from './tables.ts'

type Summary = Partial<Pick<Project, 'lastRun'>> & { counts?: Partial<Project['counts']> }

/** What a feature to the right adds to projects, and does when something happens to one. */
export type ProjectPart = {
  /** Its share of the summary, by project; a project without anything may be left out. */
  summarise(db: Db, projectIds: string[]): Promise<Map<string, Summary>>
  /** Addresses of a few small images of what is in each, for this caller; a project without images may be left out. */
  covers?(ctx: Context, caller: Caller, projectIds: string[]): Promise<Map<string, string[]>>
  /** In the transaction that makes a copy; how many things of other members stay behind. */
  copied?(
    ctx: Context,
    tx: Tx,
    copy: { fromId: string; toId: string; ownerId: string },
  ): Promise<{ leftOut: number }>
  /** In the transaction that moves it to the recycle station. */
  removed?(ctx: Context, tx: Tx, projectId: string): Promise<void>
  /** In the transaction that deletes it for good. */
  purged?(ctx: Context, tx: Tx, projectId: string): Promise<void>
  /** What it adds to the whole project as one archive. */
  archive?(ctx: Context, project: ProjectRow, options: ArchiveOptions): ProjectArchive
}

export type ArchiveOptions = {
  /** The images and labels too. */
  data: boolean
  /** Who gets it. */
  userId: string
}
export type ProjectArchive = {
  /** Its lines in `project.json`. */
  facts(): Promise<Record<string, unknown>>
  files(): AsyncIterable<ArchivedFile | ArchivedFolder>
}

declare module '../../infra/feature.ts' {
  interface Questions {
    projectPart: ProjectPart
  }
}

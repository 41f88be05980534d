/** Runs of kinds that features to the right know: what the one queue asks about them. */
import type { RunSpec } from '@neuroloom/contract/engine'
import type { ArchivedFile } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import type { Device } from '../../infra/engine/engine.ts'
import type { LearnedRow, RunRow, runs } from './tables.ts'

/** The run's folder, what computes it, and the newest checkpoint of an earlier attempt. */
export type RunPlace = { path: string; device: Device; resume: string | null }

export type RunKind = {
  kind: Exclude<RunRow['kind'], LearnedRow['kind']>
  /** Links what the engine reads below the run's folder; what is asked of it. Rejects with `CannotBegin`. */
  layOut(ctx: Context, run: RunRow, at: RunPlace): Promise<RunSpec>
  /** Reads what an attempt left, by kind of artifact; what is written of it in the transaction that ends the run. */
  finish(left: ReadonlyMap<string, string>): Promise<(tx: Tx, runId: string) => Promise<void>>
  /** What a run that is queued once more reads. Fails where it is gone. */
  again(tx: Tx, runs: { past: RunRow; next: RunRow }): Promise<void>
  /** What was asked for and what came of it, for the archives of projects and of members. */
  archive(ctx: Context, run: RunRow): AsyncIterable<ArchivedFile>
  /** Its lines in the list of a member's runs; none of a run of another kind. */
  told(db: Db, runId: string): Promise<object>
}

declare module '../../infra/feature.ts' {
  interface Questions {
    runKinds: readonly RunKind[]
  }
}

/** Null of what learns from data sets: that is the queue's own. */
export const kindOf = (ctx: Context, { kind }: Pick<typeof runs.$inferSelect, 'kind'>): RunKind | null =>
  ctx
    .told('runKinds')
    .flat()
    .find((one) => one.kind === kind) ?? null

import type { Access } from '@neuroloom/contract/files'
import { eq } from 'drizzle-orm'
import type { SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Tx } from '../../../infra/db.ts'
import { requireRun, type SeenRun } from '../../runs/access.ts'
import { type RunFlowRow, runFlow } from './tables.ts'

/** A flow run that is done, if the caller has this right to it; nobody else changes what is kept with it until the end. */
export async function holdDone(
  tx: Tx,
  user: Pick<SessionUser, 'id'>,
  id: string,
  right: Access,
): Promise<{ run: SeenRun; flow: RunFlowRow }> {
  const run = await requireRun(tx, user, id, right)
  const [flow] = await tx.select().from(runFlow).where(eq(runFlow.runId, id)).for('update')
  if (!flow) throw fail('run_missing')
  if (run.state !== 'done') throw fail('flow_run_not_done')
  return { run, flow }
}

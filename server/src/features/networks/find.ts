import { networkTask, type ProjectTask } from '@neuroloom/contract/task'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { findOwn } from './access.ts'
import { type AskedNetwork, builtIn } from './fit.ts'
import { isOfFlow, tasksOf } from './library.ts'
import type { NetworkRow } from './tables.ts'

/** One that comes with the product, or the member's own as it is saved now. */
export type Found = AskedNetwork & { own: NetworkRow | null }

/** Refuses as `network_unfit` what does not exist, is somebody else's, or is for another task. */
export async function findNetwork(
  db: Db,
  user: Pick<SessionUser, 'id'>,
  { id, task }: { id: string; task: ProjectTask },
): Promise<Found> {
  const offered: ProjectTask[] = isOfFlow(id) ? ['flow'] : tasksOf(id)
  if (offered.length > 0) {
    if (!offered.includes(task)) throw fail('network_unfit', { network: id, reason: 'other_task' })
    return { ...builtIn(id), own: null }
  }
  const own = await findOwn(db, user, id)
  if (!own) throw fail('network_unfit', { network: id, reason: 'unknown' })
  if (own.task !== (task === 'flow' ? task : networkTask[task]))
    throw fail('network_unfit', { network: own.name, reason: 'other_task' })
  return { id, name: own.name, text: own.text, own }
}

/** What works are told: nothing of the row but what they need. */
export const askedOf = ({ id, name, text }: Found): AskedNetwork => ({ id, name, text })

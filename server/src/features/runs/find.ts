import type { Language } from '@neuroloom/contract/language'
import type { Found } from '@neuroloom/contract/search'
import { desc, inArray } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import type { Db } from '../../infra/db.ts'
import { textsOf } from '../../infra/texts.ts'
import { findProjects } from '../projects/service.ts'
import { runs } from './tables.ts'

/** As many projects and runs as are looked through: more than anybody has, fewer than would be felt. */
const most = { projects: 1000, runs: 5000 }

/**
 * Runs have no name of their own: they are found by what they are called on the pages ("Training 3"), by their project,
 * data set and network. Every word must be found in one of these. Compared here and not in the database, which
 * does not know all letters, and not what networks are called in the reader's language.
 */
export async function findRuns(
  db: Db,
  user: Pick<SessionUser, 'id'>,
  { text, limit, language }: { text: string; limit: number; language: Language },
): Promise<Found['runs']> {
  const projects = await findProjects(db, user, { text: '', limit: most.projects })
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const rows = await db
    .select({
      id: runs.id,
      kind: runs.kind,
      number: runs.number,
      projectId: runs.projectId,
      dataset: runs.datasetName,
      network: runs.network,
      ownNetwork: runs.ownNetworkName,
    })
    .from(runs)
    .where(inArray(runs.projectId, [...names.keys()]))
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(most.runs)
  const kinds = textsOf('search', language)
  const networks = textsOf('networks', language)
  const words = folded(text).split(/\s+/)
  const found = rows.filter(({ kind, number, projectId, dataset, network, ownNetwork }) => {
    const title = `${kinds[kind] ?? ''} ${number}`
    const networkName = ownNetwork ?? networks[`${network}.title`] ?? network
    const said = folded([title, names.get(projectId) ?? '', dataset, networkName].join('\n'))
    return words.every((word) => said.includes(word))
  })
  return found.slice(0, limit).map(({ id, kind, number, projectId, dataset }) => ({
    id,
    kind,
    number,
    project: names.get(projectId) ?? '',
    dataset,
  }))
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().trim()

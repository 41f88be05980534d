import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { search as limits } from '@neuroloom/contract/limits'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { findEntries } from '../files/service.ts'
import { findOwn } from '../networks/service.ts'
import { findProjects } from '../projects/service.ts'
import { findRuns } from '../runs/service.ts'

/** Among what is the member's own or was given to the member. What is public to all is found on the pages that list it. */
export async function all(
  { db }: Context,
  { text }: Parsed<'search/all'>,
  { user, language }: Caller,
): Promise<Answer<'search/all'>> {
  const wish = { text, limit: limits.perKind }
  const [projects, files, networks, runs] = await Promise.all([
    findProjects(db, user, wish),
    findEntries(db, user, wish),
    findOwn(db, user, wish),
    findRuns(db, user, { ...wish, language }),
  ])
  return { projects: projects.map(({ id, name, owner }) => ({ id, name, owner })), files, networks, runs }
}

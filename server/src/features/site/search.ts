import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { search as limits } from '@neuroloom/contract/limits'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { findEntries } from '../files/service.ts'
import { findOwn } from '../networks/service.ts'
import { findProjects, coversOf as projectCovers } from '../projects/service.ts'
import { findRuns, coversOf as runCovers } from '../runs/service.ts'

/** Among what is the member's own or was given to the member. What is public to all is found on the pages that list it. */
export async function all(
  ctx: Context,
  { text }: Parsed<'search/all'>,
  caller: Caller,
): Promise<Answer<'search/all'>> {
  const { db } = ctx
  const { user, language } = caller
  const wish = { text, limit: limits.perKind }
  const [projects, files, networks, runs] = await Promise.all([
    findProjects(db, user, wish),
    findEntries(db, user, wish),
    findOwn(db, user, wish),
    findRuns(db, user, { ...wish, language }),
  ])
  const idsOf = (found: { id: string }[]) => found.map(({ id }) => id)
  const [ofProjects, ofRuns] = await Promise.all([
    projectCovers(ctx, caller, idsOf(projects)),
    runCovers(ctx, caller, idsOf(runs)),
  ])
  const covers = Object.entries(ofProjects).flatMap(([id, [first]]) =>
    first === undefined ? [] : [[id, first]],
  )
  return {
    projects: projects.map(({ id, name, owner }) => ({ id, name, owner })),
    ...{ files, networks, runs },
    covers: { ...Object.fromEntries(covers), ...ofRuns },
  }
}

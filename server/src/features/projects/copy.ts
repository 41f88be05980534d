import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { newId } from '../../infra/ids.ts'
import { requireProject } from './access.ts'
import { projectOf } from './list.ts'
import { orNameTaken } from './names.ts'
import { insertOwn } from './service.ts'
import { copyStatements } from './statements.ts'

/** By whoever may look at it. What others brought stays with them, and trainings with the project. */
export async function copy(
  ctx: Context,
  { id: fromId, name }: Parsed<'projects/copy'>,
  caller: Caller,
): Promise<Answer<'projects/copy'>> {
  const { user } = caller
  const toId = newId()
  let leftOut = 0
  await orNameTaken(name, () =>
    ctx.db.transaction(async (tx) => {
      const { description, task, displays } = await requireProject(tx, user, fromId, 'view')
      await insertOwn(ctx, tx, caller, { id: toId, name, description, task, displays })
      await copyStatements(tx, { fromId, toId })
      for (const part of ctx.told('projectPart')) {
        const behind = await part.copied?.(ctx, tx, { fromId, toId, ownerId: user.id })
        leftOut += behind?.leftOut ?? 0
      }
    }),
  )
  return { project: await projectOf(ctx, user, toId), leftOut }
}

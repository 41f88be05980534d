import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { statements as questions } from '@neuroloom/contract/statement-names'
import type { Statement, StatementTexts } from '@neuroloom/contract/statements'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { requireProject } from './access.ts'
import { tellAbout } from './news.ts'
import { projectStatements } from './tables.ts'

export async function statements(
  ctx: Context,
  { id }: Parsed<'projects/statements'>,
  { user }: Caller,
): Promise<Answer<'projects/statements'>> {
  await requireProject(ctx.db, user, id, 'view')
  return { statements: await statementsOf(ctx.db, id) }
}

export async function setStatement(
  ctx: Context,
  { id, name, text }: Parsed<'projects/setStatement'>,
  { user }: Caller,
): Promise<Answer<'projects/setStatement'>> {
  await ctx.db.transaction(async (tx) => {
    await requireProject(tx, user, id, 'edit')
    if (text === '') await tx.delete(projectStatements).where(isOf(id, name))
    else await store(ctx, tx, { projectId: id, name, text })
  })
  await tellAbout(ctx, id)
  return { statements: await statementsOf(ctx.db, id) }
}

/** In the order of the questions. */
export async function statementsOf(db: Db, projectId: string): Promise<StatementTexts> {
  const rows = await db.select().from(projectStatements).where(eq(projectStatements.projectId, projectId))
  const texts = new Map(rows.map(({ name, text }) => [name, text]))
  const known = questions.flatMap((name): [Statement, string][] => {
    const text = texts.get(name)
    return text === undefined ? [] : [[name, text]]
  })
  return Object.fromEntries(known)
}

/** A copy of a project is about the same study. */
export async function copyStatements(
  tx: Tx,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  const rows = await tx.select().from(projectStatements).where(eq(projectStatements.projectId, fromId))
  if (rows.length === 0) return
  await tx.insert(projectStatements).values(rows.map((row) => ({ ...row, projectId: toId })))
}

async function store(
  ctx: Context,
  tx: Tx,
  { projectId, name, text }: { projectId: string; name: Statement; text: string },
): Promise<void> {
  const said = { text, modifiedAt: ctx.now() }
  await tx
    .insert(projectStatements)
    .values({ projectId, name, ...said })
    .onConflictDoUpdate({ target: [projectStatements.projectId, projectStatements.name], set: said })
}

const isOf = (projectId: string, name: Statement) =>
  and(eq(projectStatements.projectId, projectId), eq(projectStatements.name, name))

/** Parts of the product that administrators switch off and on while the server runs. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type ModuleName, moduleNames, privateModules } from '@neuroloom/contract/office/modules'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { store, stored } from '../../infra/modules/modules.ts'

export async function list(ctx: Context): Promise<Answer<'office/modules'>> {
  const off = await stored(ctx.db)
  return {
    modules: modulesOf(ctx).map((name) => ({
      name,
      isOff: off.has(name),
      since: off.get(name)?.toISOString() ?? null,
    })),
  }
}

export async function turn(
  ctx: Context,
  { name, isOff }: Parsed<'office/switchModule'>,
  { user, address }: Caller,
): Promise<Answer<'office/switchModule'>> {
  if (!modulesOf(ctx).includes(name)) throw fail('not_found')
  await ctx.db.transaction(async (tx) => {
    const isChanged = await store(tx, { name, isOff, switchedBy: user.id, since: ctx.now() })
    if (!isChanged) return
    await audit(tx, {
      ...{ actor: user.id, action: 'module.switch', subject: `module:${name}`, address },
      ...{ before: { isOff: !isOff }, after: { isOff } },
    })
  })
  // The others hear of it; this process knows it before it answers.
  await ctx.modules.load()
  return list(ctx)
}

/** Those of this server: what the configuration left out cannot be switched on here. */
const modulesOf = ({ config }: Context): readonly ModuleName[] =>
  config.deployment === 'private' ? privateModules : moduleNames

import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { readText } from './fit.ts'

export async function look(
  _ctx: Context,
  { text }: Parsed<'networks/look'>,
  _caller: Caller,
): Promise<Answer<'networks/look'>> {
  readText(text)
  throw fail('look_busy')
}

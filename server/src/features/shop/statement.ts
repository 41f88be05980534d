/** What the platform puts its signature to: what was measured, of which weights, and when. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { newest, requireListing } from './access.ts'
import type { ListingRow, VersionRow } from './tables.ts'

/** Lines of JSON in a fixed order, so that the same facts are the same bytes. */
export function statementOf(
  { id, task }: ListingRow,
  { number, tested, weightsSha256, weightsBytes, planHash, manifestSha256 }: VersionRow,
  { at, versions }: { at: Date; versions: Record<string, string> | null },
): string {
  const { score, metrics, perClass, confusion, items, results, part } = tested
  return JSON.stringify(
    {
      statement: 'neuroloom model score 1',
      ...{ listing: id, version: number, task },
      weights: { sha256: weightsSha256, bytes: weightsBytes },
      ...{ network: planHash, data: manifestSha256, part, items },
      ...{ score, metrics, perClass, confusion, results },
      ...{ measuredAt: at.toISOString(), with: versions ?? {} },
    },
    null,
    1,
  )
}

export async function statement(
  ctx: Context,
  { id }: Parsed<'shop/statement'>,
  { user }: Caller,
): Promise<Answer<'shop/statement'>> {
  const version = await newest(ctx.db, await requireListing(ctx, user, id))
  if (version.statement === null || version.signature === null) throw fail('listing_missing')
  return {
    statement: version.statement,
    signature: version.signature,
    publicKey: ctx.signer.publicKey,
  }
}

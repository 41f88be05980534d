import { createHash } from 'node:crypto'
import { labelling as limits } from '@neuroloom/contract/limits'

/** Rounds are tested on it and never learn from it: by its id alone, so that it stays so whoever labels what when. */
export const isAside = (itemId: string): boolean =>
  (createHash('sha256').update(itemId).digest()[0] ?? 0) % limits.roundAside === 0

/** Which masks of several folders are of one picture, by names alone; what has no like in all of them is told, never guessed. */
import { recipes as limits } from '@neuroloom/contract/limits'
import { type Pairing, pairings } from '@neuroloom/contract/recipes/pairings'
import { fail } from '../../../http/fail.ts'
import type { Db } from '../../../infra/db.ts'
import type { SeenEntry } from '../../files/access.ts'
import { pairUp } from '../doctor/pairs.ts'
import { chosenFiles, type Found } from '../folders.ts'
import { roleOf } from '../roles.ts'

/** One of each folder, in their order. */
export type Group = { files: Found[]; by: Pairing }
type Alone = { file: Found; folder: number; missing: number[] }
export type Matched = { folders: SeenEntry[]; counts: number[]; groups: Group[]; alone: Alone[] }

export async function matchedFolders(
  db: Db,
  member: { id: string },
  folderIds: readonly string[],
): Promise<Matched> {
  const chosen = []
  for (const folderId of folderIds) chosen.push(await masksIn(db, member, folderId))
  const folders = chosen.map(({ folder }) => folder)
  const counts = chosen.map(({ masks }) => masks.length)
  const [first = [], ...others] = chosen.map(({ masks }) => masks)
  const paired = others.map((masks) => pairUp(first, masks))
  const partners = paired.map(
    ({ pairs }) => new Map(pairs.map(({ image, mask, by }) => [image, { mask, by }])),
  )
  const groups: Group[] = []
  const alone: Alone[] = []
  for (const file of first) {
    const found = partners.map((partner) => partner.get(file))
    const missing = found.flatMap((one, index) => (one ? [] : [index + 1]))
    if (missing.length > 0) alone.push({ file, folder: 0, missing })
    else groups.push({ files: [file, ...found.flatMap((one) => one?.mask ?? [])], by: loosest(found) })
  }
  for (const [index, { masks }] of paired.entries())
    alone.push(...masks.map((file) => ({ file, folder: index + 1, missing: [0] })))
  if (groups.length === 0) throw fail('mask_nothing')
  return { folders, counts, groups, alone }
}

/** Of a folder that the member may see. */
export async function masksIn(
  db: Db,
  member: { id: string },
  folderId: string,
): Promise<{ folder: SeenEntry; masks: Found[] }> {
  const { folder, found } = await chosenFiles(db, member, { folderId, below: true })
  const masks = found.filter(({ path }) => roleOf(path) === 'image')
  if (masks.length > limits.files) throw fail('too_many_files', { limit: limits.files, count: masks.length })
  return { folder, masks }
}

function loosest(found: readonly ({ by: Pairing } | undefined)[]): Pairing {
  const places = found.map((one) => (one ? pairings.indexOf(one.by) : 0))
  return pairings[Math.max(0, ...places)] ?? 'same'
}

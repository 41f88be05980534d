import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { recipes as limits } from '@neuroloom/contract/limits'
import type { Work } from '@neuroloom/contract/recipes/recipes'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { requireEntries, type SeenEntry } from '../files/access.ts'
import { cleanName, mayBeDicom, walk } from '../files/service.ts'
import { matchedFolders } from './algebra/match.ts'
import { dicomItems } from './dicom.ts'
import { placeOf } from './doctor/pairs.ts'
import { chosenFiles, type Found, pathsOf } from './folders.ts'
import { inOrder, mergedFolders } from './merge.ts'
import { folderOf, isBelow, isPaged, isPicture, isTable, nameOf, roleOf, stemOf } from './roles.ts'
import type { ItemRow } from './tables.ts'

export type Planned = Pick<ItemRow, 'fileIds' | 'path' | 'role' | 'reason'> & Partial<Pick<ItemRow, 'dicom'>>
/** `first` is what it is called after, and beside which the result goes. */
export type Plan = {
  first: SeenEntry
  items: Planned[]
  /** What may be DICOM: only a look into the files tells (`withDicom`). */
  mayBe?: Found[]
}
type Of<Kind extends Work['kind']> = Extract<Work, { kind: Kind }>

/** What a work comes to: images first, then masks, which must be of their size, then what tells of places in images. */
export async function planOf(db: Db, member: { id: string }, work: Work): Promise<Plan> {
  const plan = await planFor(db, member, work)
  const { items, mayBe = [] } = plan
  const count = items.length + mayBe.length
  if (count > limits.files) throw fail('too_many_files', { limit: limits.files, count })
  if (mayBe.length === 0 && !items.some(({ role }) => role !== 'labels')) throw fail('recipe_nothing')
  return plan
}

const order = { image: 0, group: 0, copy: 0, mask: 1, labels: 2 } as const
const inTurn = (items: Planned[]): Planned[] =>
  items.sort((one, other) => order[one.role] - order[other.role])

/** The items of a plan with those that its DICOM makes. */
export async function withDicom(ctx: Context, member: { id: string }, work: Work): Promise<Planned[]> {
  const { items, mayBe = [] } = await planOf(ctx.db, member, work)
  if (work.kind !== 'recipe' || mayBe.length === 0) return items
  const { found } = await chosenFiles(ctx.db, member, work)
  const masks = await pathsOf(ctx.db, work.folderId, work.maskIds)
  const made = await dicomItems(ctx, {
    candidates: mayBe,
    others: found.filter(({ path }) => !mayBeDicom(path)),
    as: work.dicom,
    isMask: (path) => isBelow(path, masks),
  })
  const dicom = made.map(({ files, path, role, reason, dicom }): Planned => {
    return { fileIds: files.map(({ id }) => id), path, role, reason, dicom }
  })
  if (items.length + dicom.length === 0) throw fail('recipe_nothing')
  return inTurn([...items, ...dicom])
}

function planFor(db: Db, member: { id: string }, work: Work): Promise<Plan> {
  switch (work.kind) {
    case 'recipe':
      return byRecipe(db, member, work)
    case 'merge':
      return work.as === 'folder' ? folders(db, member, work) : merged(db, member, work)
    case 'split':
      return each(db, member, work, ({ path }) => isPaged(path))
    case 'stitch':
      return tiles(db, member, work)
    case 'rename':
      return underNewNames(db, member, work)
    case 'repair':
      return repaired(db, member, work)
    case 'algebra':
      return joinedMasks(db, member, work)
    default:
      return work satisfies never
  }
}

async function byRecipe(db: Db, member: { id: string }, work: Of<'recipe'>): Promise<Plan> {
  const { folder, found } = await chosenFiles(db, member, work)
  const masks = await pathsOf(db, work.folderId, work.maskIds)
  const items = found.flatMap(({ id, path }): Planned[] => {
    const role = roleOf(path)
    if (role === 'other') return []
    const isMask = role === 'image' && isBelow(path, masks)
    return [{ fileIds: [id], path, role: isMask ? 'mask' : role, reason: null }]
  })
  return { first: folder, items: inTurn(items), mayBe: found.filter(({ path }) => mayBeDicom(path)) }
}

async function each(
  db: Db,
  member: { id: string },
  work: Of<'split'>,
  isWanted: (file: Found) => boolean,
): Promise<Plan> {
  const { folder, found } = await chosenFiles(db, member, work)
  const items = found
    .filter(isWanted)
    .map(({ id, path }): Planned => ({ fileIds: [id], path, role: 'group', reason: null }))
  return { first: folder, items }
}

/** Named as the step `tiles` names them (engine: `tile_mark`). */
const TILE = /__y\d+_x\d+_of_\d+x\d+$/

async function tiles(db: Db, member: { id: string }, work: Of<'stitch'>): Promise<Plan> {
  const { folder, found } = await chosenFiles(db, member, work)
  const groups = new Map<string, Planned>()
  for (const { id, path } of found.filter((file) => TILE.test(stemOf(file.path)))) {
    const whole = stemOf(path).replace(TILE, '')
    const group = groups.get(whole)
    if (group) group.fileIds.push(id)
    else groups.set(whole, { fileIds: [id], path, role: 'group', reason: null })
  }
  return { first: folder, items: [...groups.values()] }
}

async function merged(db: Db, member: { id: string }, { ids, as }: Of<'merge'>): Promise<Plan> {
  const entries = await requireEntries(db, member, ids, 'view')
  const isWanted = as === 'table' ? isTable : isPicture
  const parts: { id: string; path: string }[] = []
  for (const entry of inOrder(entries)) {
    if (entry.kind === 'file') parts.push({ id: entry.id, path: entry.name })
    else {
      const inside = (await walk(db, member, entry.id)).files.filter(({ path }) => !path.includes('/'))
      parts.push(...inside.sort((one, other) => natural.compare(one.path, other.path)))
    }
  }
  const wanted = parts.filter(({ path }) => isWanted(path))
  const [first] = inOrder(entries)
  const [named] = wanted
  if (!first || !named || wanted.length < 2) throw fail('recipe_merge')
  if (wanted.length > limits.merged)
    throw fail('too_many_files', { limit: limits.merged, count: wanted.length })
  const path =
    first.kind === 'folder' ? `${first.name}.${as === 'table' ? 'csv' : 'tif'}` : nameOf(named.path)
  return { first, items: [{ fileIds: wanted.map(({ id }) => id), path, role: 'group', reason: null }] }
}

async function folders(db: Db, member: { id: string }, work: Of<'merge'>): Promise<Plan> {
  const { first, placed } = await mergedFolders(db, member, work)
  const items = placed.map(({ file, path }): Planned => {
    return { fileIds: [file.id], path, role: 'copy', reason: null }
  })
  return { first, items }
}

/** `from`: what it is called now. */
type NamedPlan = Omit<Plan, 'items'> & { items: (Planned & { from: string })[] }

/** Before it begins: what some files would be called, those first that cannot be. */
export async function renamed(
  { db }: Context,
  asked: Parsed<'recipes/renamed'>,
  { user }: Caller,
): Promise<Answer<'recipes/renamed'>> {
  const { items } = await underNewNames(db, user, { kind: 'rename', ...asked })
  if (items.length > limits.files) throw fail('too_many_files', { limit: limits.files, count: items.length })
  if (items.length === 0) throw fail('recipe_nothing')
  const bad = items.filter(({ reason }) => reason !== null)
  const good = items.filter(({ reason }) => reason === null)
  const names = [...bad.slice(0, limits.namesTold), ...good.slice(0, limits.namesTold)]
  return {
    count: items.length,
    failed: bad.length,
    names: names.map(({ from, path, reason }) => ({ from, to: reason === null ? path : null, reason })),
  }
}

/** Files of the same name but for their ending, and those of the same name in different folders, stay of one name. */
async function underNewNames(db: Db, member: { id: string }, work: Of<'rename'>): Promise<NamedPlan> {
  const { folder, found } = await chosenFiles(db, member, work)
  const wanted = found.filter(({ path }) => roleOf(path) !== 'other')
  const stems = [...new Set(wanted.map(({ path }) => nameOf(stemOf(path))))].sort(natural.compare)
  const numbers = new Map(stems.map((stem, index) => [stem, work.first + index]))
  const taken = new Set<string>()
  const items = wanted.map(({ id, path }): NamedPlan['items'][number] => {
    const stem = nameOf(stemOf(path))
    const above = folderOf(path)
    const name = cleanName(
      work.pattern
        .replaceAll('{name}', () => stem)
        .replaceAll('{folder}', () => above.at(-1) ?? folder.name)
        .replaceAll('{number}', () => String(numbers.get(stem) ?? 0).padStart(work.digits, '0')) +
        nameOf(path).slice(stem.length),
    )
    const item = { fileIds: [id], role: 'copy' as const, from: path }
    if (name === null) return { ...item, path, reason: { name: 'name_invalid', params: {} } }
    const next = [...above, name].join('/')
    if (taken.has(next)) return { ...item, path, reason: { name: 'name_taken', params: { file: name } } }
    taken.add(next)
    return { ...item, path: next, reason: null }
  })
  return { first: folder, items }
}

/** Images as they are; each mask under the name of its image, so that everything finds it. */
async function repaired(db: Db, member: { id: string }, { folderId, pairs }: Of<'repair'>): Promise<Plan> {
  const { folder, found } = await chosenFiles(db, member, { folderId, below: true })
  const paths = new Map(found.map(({ id, path }) => [id, path]))
  const items = pairs.flatMap(({ imageId, maskId, repairs }): Planned[] => {
    const [image, mask] = [paths.get(imageId), paths.get(maskId)]
    if (image === undefined || mask === undefined) throw fail('missing')
    const place = placeOf(image)
    const name = nameOf(stemOf(image)) + nameOf(mask).slice(nameOf(stemOf(mask)).length)
    const isCopy = repairs.length === 0
    return [
      { fileIds: [imageId], path: ['images', ...place, nameOf(image)].join('/'), role: 'copy', reason: null },
      {
        fileIds: isCopy ? [maskId] : [maskId, imageId],
        path: ['masks', ...place, name].join('/'),
        ...{ role: isCopy ? 'copy' : 'mask', reason: null },
      },
    ]
  })
  return {
    first: folder,
    items: items.sort((one, other) => Number(one.role === 'mask') - Number(other.role === 'mask')),
  }
}

/** Masks of one name, a group each; one that lacks its like somewhere has failed before it begins. */
async function joinedMasks(db: Db, member: { id: string }, { folderIds }: Of<'algebra'>): Promise<Plan> {
  const { folders, groups, alone } = await matchedFolders(db, member, folderIds)
  const [first] = folders
  if (!first) throw fail('mask_nothing')
  const nameIn = (index: number): string => folders[index]?.name ?? ''
  const items = groups.map(({ files }): Planned => {
    return { fileIds: files.map(({ id }) => id), path: files[0]?.path ?? '', role: 'group', reason: null }
  })
  const left = alone.map(({ file, folder, missing }): Planned => {
    const params = { folders: missing.map(nameIn).join(', ') }
    const path = folder === 0 ? file.path : `${nameIn(folder)}/${file.path}`
    return { fileIds: [], path, role: 'group', reason: { name: 'unmatched', params } }
  })
  return { first, items: [...items, ...left] }
}

const natural = new Intl.Collator('en', { numeric: true })

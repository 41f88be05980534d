import { type FileFacts, type FileRole, fileFactsSchema } from '@neuroloom/contract/engine'
import { type FileReason, fileReasons } from '@neuroloom/contract/file-reasons'
import { sql } from 'drizzle-orm'
import type { WorkerContext } from '../../infra/context.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { checkBlobs } from '../files/service.ts'
import type { Checked, Look } from './recognise/shapes.ts'

type FileToCheck = { path: string; role: FileRole; sha256: string }

/** So many files a round: what an earlier round or an upload's check found in the meantime is not looked at again. */
const ROUND = 250

/** What the engine says of each file; bytes that it has seen before are not read again. */
export async function checkAll(
  ctx: WorkerContext,
  files: FileToCheck[],
  onProgress: (done: number) => Promise<void>,
): Promise<Look['check']> {
  const results = new Map<string, Checked>()
  await onProgress(0)
  for (let start = 0; start < files.length; start += ROUND) {
    const round = new Map(files.slice(start, start + ROUND).map((file) => [keyOf(file), file]))
    for (const [key, checked] of await findKnown(ctx, round)) results.set(key, checked)
    const unseen = [...round].flatMap(([key, file]) => (results.has(key) ? [] : [file]))
    await checkBlobs(ctx, unseen, async ({ sha256, role }, { facts, reason }) => {
      results.set(keyOf({ sha256, role }), toChecked(facts, asVolume(role, reason)))
      await onProgress(Math.min(start + round.size, results.size))
    })
  }
  const keys = new Map(files.map((file) => [file.path, keyOf(file)]))
  return (path) => results.get(keys.get(path) ?? '') ?? toChecked(null, null)
}

const keyOf = ({ sha256, role }: Pick<FileToCheck, 'sha256' | 'role'>): string => `${role} ${sha256}`

async function findKnown(
  ctx: WorkerContext,
  wanted: Map<string, FileToCheck>,
): Promise<Map<string, Checked>> {
  const digests = [...wanted.values()].map(({ sha256 }) => sha256)
  const rows = await ctx.db
    .select()
    .from(blobs)
    .where(sql`${blobs.sha256} = any(${sql.param(digests)}) and ${blobs.checkedAt} is not null`)
  const seen = new Map(rows.map((row) => [row.sha256, row]))
  const known = new Map<string, Checked>()
  for (const [key, { sha256, role }] of wanted) {
    const row = seen.get(sha256)
    if (!row) continue
    const facts = row.facts === null ? null : fileFactsSchema.parse(row.facts)
    const isEnough = facts ? says(facts, role) : isHopeless(row.reason, role)
    if (isEnough) known.set(key, toChecked(facts, facts ? null : asVolume(role, reasonOf(row.reason))))
  }
  return known
}

/** What was read before cameras' notes were followed, pages counted or palettes compared is read again. Looked at as a picture only: as a mask its values must be counted, and it may be refused for them. */
const says = (
  { depth, values, fingerprint, turn, pages, palette, format }: FileFacts,
  role: FileRole,
): boolean =>
  (isMask(role) ? values !== null : fingerprint !== undefined) &&
  isVolume(role) === (depth !== null) &&
  (depth !== null || turn !== undefined) &&
  (role !== 'mask' || palette !== undefined || !paletted.has(format)) &&
  (pages !== undefined || !paged.has(format))

const paged: ReadonlySet<string> = new Set(['tiff', 'gif', 'webp'])
const paletted: ReadonlySet<string> = new Set(['png', 'gif', 'tiff', 'bmp'])

const isMask = (role: FileRole): boolean => role === 'mask' || role === 'volume_mask'
const isVolume = (role: FileRole): boolean => role === 'volume' || role === 'volume_mask'

/** Refused as a picture, and so as anything that it could be besides. */
function isHopeless(reason: string | null, role: FileRole): boolean {
  if (role === 'image') return reason !== 'not_a_volume' && reason !== 'several_volumes'
  const hopeless = isVolume(role)
    ? ['empty', 'not_a_volume', 'several_volumes']
    : ['empty', 'not_an_image', 'truncated', 'too_large']
  return hopeless.includes(reason ?? '')
}

const reasonOf = (text: string | null): FileReason | null =>
  fileReasons.find((reason) => reason === text) ?? null

/** A file that ends the program which reads it is told as no image, whatever it was read as. */
const asVolume = (role: FileRole, reason: FileReason | null): FileReason | null =>
  isVolume(role) && (reason ?? 'not_an_image') === 'not_an_image' ? 'not_a_volume' : reason

const toChecked = (facts: Checked['facts'], reason: FileReason | null): Checked =>
  facts ? { facts, reason: null } : { facts: null, reason: reason ?? 'not_an_image' }

/** Cloud storage: folders, files, uploads, links to content. */
import * as z from 'zod'
import { files } from './limits.ts'
import { route } from './route.ts'

const id = z.string().min(1).max(40)
/** `next` of the page before; good for the same question only. */
const after = z.string().max(3000).nullable().default(null)

/** A name as shown: no control characters, slashes, or reserved dots. Storage never uses it as a path. */
export const fileNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(files.nameLength)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what the rule refuses
  .regex(/^[^\u0000-\u001f\u007f-\u009f/\\]+$/)
  // Signs that turn the reading direction make `exe.png` of `gnp.exe`; half a character cannot be stored.
  .regex(/^[^\u2028-\u202e\u2066-\u2069\p{Surrogate}]+$/u)
  .refine((name) => name !== '.' && name !== '..')

export const entrySchema = z.object({
  id: z.string(),
  kind: z.enum(['folder', 'file']),
  name: z.string(),
  /** Lower-case extension without dot, '' for folders. */
  type: z.string(),
  /** Of a folder: everything below it. */
  sizeBytes: z.int(),
  /** Of a folder: files below it. */
  fileCount: z.int(),
  modifiedAt: z.iso.datetime(),
  modifiedBy: z.string(),
  /** Of an own entry: somebody else can see it, by a share, a group or a link of its own. */
  shared: z.boolean(),
  /** Short-lived address of a small picture; null while there is none. */
  thumbnail: z.string().nullable(),
  /** Of a DICOM series that a list shows as one: size and time are those of all its files, the rest is its middle file's. */
  series: z.object({ files: z.int(), description: z.string() }).optional(),
})
export type Entry = z.infer<typeof entrySchema>

/** What a member may do with an entry: look at it; change what is in it; everything (its owner). */
export const accessSchema = z.enum(['view', 'edit', 'own'])
export type Access = z.infer<typeof accessSchema>

export const sortSchema = z.enum(['name', 'type', 'size', 'modified'])
export type Sort = z.infer<typeof sortSchema>

/** Kinds that a list can be narrowed to, by extension. */
export const fileFilterSchema = z.enum(['all', 'folder', 'image', 'volume', 'video', 'document', 'archive'])
export type FileFilter = z.infer<typeof fileFilterSchema>

/** Where an entry is met: under own files, or where somebody else gave access. */
export const placeSchema = z.object({
  kind: z.enum(['own', 'shared', 'group', 'public']),
  /** The group, else null. */
  groupId: z.string().nullable(),
  /** Nickname of the owner, '' for own files. */
  owner: z.string(),
})
export type Place = z.infer<typeof placeSchema>

/** Which entries go where, when their names are taken there; `ask` changes nothing and answers with the names. */
const transferSchema = z.object({
  ids: z.array(id).min(1).max(files.idsPerCall),
  /** Null = the own top. */
  targetId: id.nullable(),
  sameName: z.enum(['ask', 'overwrite', 'skip', 'rename']),
})
const transferredSchema = z.object({
  conflicts: z.array(z.string()),
  /** Entries moved or copied; what lies in folders is not counted. */
  done: z.int(),
})

export const recycledSchema = entrySchema.omit({ shared: true }).extend({
  recycledAt: z.iso.datetime(),
  /** When it is cleared by itself; null while a data set holds on to it. */
  clearsAt: z.iso.datetime().nullable(),
  /** Names of the folders above, from the top, as far as they are still there. */
  place: z.array(z.string()),
})
export type Recycled = z.infer<typeof recycledSchema>

/** What is written down about files. */
export const recordActions = [
  'upload',
  'replace',
  'createFolder',
  'rename',
  'move',
  'copy',
  'download',
  'remove',
  'restore',
  'purge',
  'share',
  'unshare',
  'leave',
  'openLink',
  'publish',
  'unpack',
  'convert',
  'prepare',
  'blackTexts',
  'deidentify',
] as const
export type RecordAction = (typeof recordActions)[number]

export const recordSchema = z.object({
  id: z.int(),
  action: z.enum(recordActions),
  /** Nickname of who did it; '' for a link's visitor or a member who is gone. */
  actor: z.string(),
  /** Name of the file or folder at that time. */
  name: z.string(),
  /** The entry, while it is still there and may be seen. */
  entryId: z.string().nullable(),
  /** Further words for the sentence: `to`, `from`, `account`, `count`, `permission` … */
  detail: z.record(z.string(), z.union([z.string(), z.number()])),
  at: z.iso.datetime(),
})
export type FileRecord = z.infer<typeof recordSchema>

/** What a record says was done: key of `records:action`. Making public and making private are one action. */
export function deedOf({
  action,
  detail,
}: Pick<FileRecord, 'action' | 'detail'>): RecordAction | 'opened' | 'closed' {
  if (action !== 'publish') return action
  return Number(detail.public) === 1 ? 'opened' : 'closed'
}

const recordQuery = z.object({
  search: z.string().max(200).default(''),
  /** Empty = all. */
  actions: z.array(z.enum(recordActions)).max(recordActions.length).default([]),
  from: z.iso.datetime().max(40).nullable().default(null),
  to: z.iso.datetime().max(40).nullable().default(null),
  /** Of one entry and what lies in it. */
  entryId: id.nullable().default(null),
})

export const fileCalls = {
  'files/list': route({
    summary: 'One page of a folder (null = the own top), folders first',
    request: z.object({
      folderId: id.nullable(),
      after,
      search: z.string().max(200).default(''),
      /** Also in the folders below. */
      below: z.boolean().default(false),
      sort: sortSchema.default('name'),
      descending: z.boolean().default(false),
      filter: fileFilterSchema.default('all'),
      /** DICOM series of the folder: as their files; as their files, and counted; as one entry each, after the folders. */
      series: z.enum(['files', 'counted', 'rows']).default('files'),
    }),
    response: z.object({
      folder: z.object({ id: z.string(), name: z.string() }).nullable(),
      /** From the top, or the topmost folder that the caller may see, to this folder, itself included. */
      path: z.array(z.object({ id: z.string(), name: z.string() })),
      access: accessSchema,
      place: placeSchema,
      entries: z.array(entrySchema),
      next: z.string().nullable(),
      total: z.int(),
      /** Files that may name their patient, left out because the owner did not give them along. */
      withheld: z.int(),
      /** DICOM series in the folder, where that was asked for. */
      series: z.int().optional(),
    }),
    errors: ['missing'],
  }),
  'files/createFolder': route({
    summary: 'Create a folder',
    request: z.object({ parentId: id.nullable(), name: fileNameSchema }),
    response: entrySchema,
    errors: ['missing', 'name_taken', 'plan_limit'],
  }),
  'files/rename': route({
    summary: 'Rename a file or folder',
    request: z.object({ id, name: fileNameSchema }),
    response: entrySchema,
    errors: ['missing', 'name_taken'],
  }),
  'files/remove': route({
    summary: 'Move files and folders to the recycle station',
    request: z.object({ ids: z.array(id).min(1).max(files.idsPerCall) }),
    response: z.object({ removed: z.int(), recycleDays: z.int() }),
    errors: ['missing', 'dataset_in_use'],
  }),
  'files/restore': route({
    summary: 'Bring files and folders back from the recycle station; a taken name gets a number',
    request: z.object({ ids: z.array(id).min(1).max(files.idsPerCall) }),
    response: z.object({ restored: z.int() }),
    errors: ['missing', 'plan_limit'],
  }),
  'files/open': route({
    summary: 'A short-lived link to the bytes of one file',
    request: z.object({ id, download: z.boolean().default(false) }),
    response: z.object({ url: z.string(), name: z.string(), sizeBytes: z.int() }),
    errors: ['missing'],
  }),
}

const step = z.object({ id: z.string(), name: z.string() })

/** Something in the recycle station that a data set still needs. */
export const keptSchema = z.object({ id: z.string(), name: z.string(), datasets: z.array(z.string()) })
export type Kept = z.infer<typeof keptSchema>

/** A folder that every member may read. */
export const publicEntrySchema = z.object({
  entry: entrySchema,
  owner: z.string(),
  /** One’s own: may be closed again. */
  isOwn: z.boolean(),
  publicAt: z.iso.datetime(),
})
export type PublicEntry = z.infer<typeof publicEntrySchema>

export const cloudCalls = {
  'files/move': route({
    summary: 'Move files and folders to another folder of the same cloud',
    request: transferSchema,
    response: transferredSchema,
    errors: ['missing', 'not_allowed', 'folder_into_itself', 'too_deep', 'plan_limit'],
  }),
  'files/copy': route({
    summary:
      'Copy files and folders, also from shared, group and public data; the target’s owner gives the space',
    request: transferSchema,
    response: transferredSchema,
    errors: ['missing', 'not_allowed', 'folder_into_itself', 'too_deep', 'plan_limit', 'storage_full'],
  }),
  'files/properties': route({
    summary: 'All that is known of one file or folder',
    request: z.object({ id }),
    response: z.object({
      entry: entrySchema,
      /** Of what it lies in: from the top, or the topmost folder that the caller may see. */
      path: z.array(step),
      access: accessSchema,
      place: placeSchema,
      /** Of a folder: folders below it. */
      folderCount: z.int(),
      /** Of a file: digest of its bytes. */
      sha256: z.string().nullable(),
      /** Since when every member may read it. */
      publicAt: z.iso.datetime().nullable(),
      /** Of an own entry: names of the data sets that were made of what lies in it. */
      datasets: z.array(z.string()),
    }),
    errors: ['missing'],
  }),
  'files/seriesFiles': route({
    summary:
      'The files of the DICOM series that this one belongs to, in its folder; of any other file, itself',
    request: z.object({ id }),
    response: z.object({ entries: z.array(entrySchema) }),
    errors: ['missing'],
  }),
  'files/download': route({
    summary: 'A short-lived address: of the bytes of one file, or of several and folders as one zip',
    request: z.object({ ids: z.array(id).min(1).max(files.idsPerCall) }),
    /** `sizeBytes` of a zip: of what is in it. */
    response: z.object({ url: z.string(), name: z.string(), sizeBytes: z.int(), isZip: z.boolean() }),
    errors: ['missing'],
  }),
  'files/recycled': route({
    summary: 'One page of the recycle station, removed last first',
    request: z.object({ after, search: z.string().max(200).default('') }),
    response: z.object({
      entries: z.array(recycledSchema),
      next: z.string().nullable(),
      total: z.int(),
      /** Of everything in the station, whatever is searched for. */
      sizeBytes: z.int(),
      recycleDays: z.int(),
    }),
    errors: [],
  }),
  'files/purge': route({
    summary: 'Delete for good what lies in the recycle station (null = all of it); what data sets need stays',
    request: z.object({ ids: z.array(id).min(1).max(files.idsPerCall).nullable() }),
    /** `kept` names some of the things that stay, `keptCount` counts all. */
    response: z.object({
      purged: z.int(),
      freedBytes: z.int(),
      keptCount: z.int(),
      kept: z.array(keptSchema),
    }),
    errors: ['missing'],
  }),
  'files/public': route({
    summary: 'Public folders, latest first',
    request: z.object({ after, search: z.string().max(200).default('') }),
    response: z.object({ entries: z.array(publicEntrySchema), next: z.string().nullable(), total: z.int() }),
    errors: [],
  }),
  'files/publish': route({
    summary: 'Make an own folder public, or private again (administrators)',
    request: z.object({
      id,
      isPublic: z.boolean(),
      /** Also files that name their patient. */
      withPatients: z.boolean().default(false),
    }),
    response: z.object({}),
    errors: ['missing', 'patients_named'],
  }),
  'files/records': route({
    summary: 'Who did what with the own files, and what oneself did with others’, last first',
    request: recordQuery.extend({ after }),
    response: z.object({ records: z.array(recordSchema), next: z.string().nullable() }),
    errors: ['missing'],
  }),
  'files/exportRecords': route({
    summary: 'A short-lived address of the records as a table (CSV)',
    request: recordQuery,
    response: z.object({ url: z.string() }),
    errors: ['missing'],
  }),
}

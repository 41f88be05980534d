/** Cloud storage: folders, files, uploads, links to content. */
import * as z from 'zod'
import { files } from './limits.ts'
import { route } from './route.ts'

const id = z.string().min(1).max(40)

/** A name as shown: no control characters, slashes, or reserved dots. Storage never uses it as a path. */
export const fileNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(files.nameLength)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what the rule refuses
  .regex(/^[^\u0000-\u001f\u007f/\\]+$/)
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
  /** Short-lived address of a small picture; null while there is none. */
  thumbnail: z.string().nullable(),
})
export type Entry = z.infer<typeof entrySchema>

/** What to do with names that exist: `ask` changes nothing and answers with the list. */
export const sameNameSchema = z.enum(['ask', 'overwrite', 'skip', 'rename'])

export const fileCalls = {
  'files/list': route({
    summary: 'One page of a folder (null = the top), folders first, by name',
    request: z.object({
      folderId: id.nullable(),
      after: z.string().max(400).nullable().default(null),
      search: z.string().max(200).default(''),
    }),
    response: z.object({
      folder: z.object({ id: z.string(), name: z.string() }).nullable(),
      /** From the top to this folder, itself included. */
      path: z.array(z.object({ id: z.string(), name: z.string() })),
      entries: z.array(entrySchema),
      next: z.string().nullable(),
      total: z.int(),
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
    request: z.object({ ids: z.array(id).min(1).max(1000) }),
    response: z.object({ removed: z.int(), recycleDays: z.int() }),
    errors: ['missing', 'dataset_in_use'],
  }),
  'files/restore': route({
    summary: 'Bring files and folders back from the recycle station; a taken name gets a number',
    request: z.object({ ids: z.array(id).min(1).max(1000) }),
    response: z.object({ restored: z.int() }),
    errors: ['missing', 'plan_limit'],
  }),
  'files/open': route({
    summary: 'A short-lived link to the bytes of one file',
    request: z.object({ id, download: z.boolean().default(false) }),
    response: z.object({ url: z.string(), name: z.string(), sizeBytes: z.int() }),
    errors: ['missing'],
  }),
  'files/prepare': route({
    summary: 'Announce an upload: makes folders, reserves space, gives one upload number a file',
    request: z.object({
      parentId: id.nullable(),
      sameName: sameNameSchema,
      /** `path` is relative, with slashes; a loose file has none. */
      files: z
        .array(z.object({ path: z.string().min(1).max(4000), sizeBytes: z.int().min(0) }))
        .min(1)
        .max(files.filesPerFolderUpload),
    }),
    response: z.object({
      /** With `ask`: paths that exist already; then nothing was reserved and `uploads` is empty. */
      conflicts: z.array(z.string()),
      /** In the order of the request; null = skipped. Sent to `chunk/upload` as tus metadata `upload`. */
      uploads: z.array(z.string().nullable()),
      /** Files that cannot be taken (bad name …), by path, with an error name; the rest goes on. */
      refused: z.array(z.object({ path: z.string(), reason: z.enum(['name_invalid', 'file_too_large']) })),
      /** The folder made for an uploaded folder, else the parent. */
      folderId: z.string().nullable(),
    }),
    errors: ['missing', 'plan_limit', 'storage_full', 'too_many_files'],
  }),
  'files/cancel': route({
    summary: 'Give up unfinished uploads and return their space',
    request: z.object({ uploads: z.array(id).min(1).max(files.filesPerFolderUpload) }),
    response: z.object({ cancelled: z.int() }),
    errors: [],
  }),
}

/** Address (below `AI/api/`) of the resumable upload; tus 1.0 with `Upload-Checksum: sha256 <base64>` on each chunk. */
export const UPLOAD_PATH = 'chunk/upload'

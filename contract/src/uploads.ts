/** Uploads: announcing, going on later, giving up; and archives that the server unpacks. */
import * as z from 'zod'
import { archives, files, uploads } from './limits.ts'
import { textEncodings } from './names/encodings.ts'
import { route } from './route.ts'

const id = z.string().min(1).max(40)
/** Relative, with slashes; a loose file has none. */
const path = z.string().min(1).max(4000)

/** What happens to a file whose name is taken. */
export const sameNameSchema = z.enum(['overwrite', 'skip', 'rename'])
export type SameName = z.infer<typeof sameNameSchema>

/** What becomes of an archive once it has arrived: `packed` was made by the browser and is only a means. */
export const unpackModeSchema = z.enum(['no', 'unpack', 'packed'])
export type UnpackMode = z.infer<typeof unpackModeSchema>

/** In which names without a declared alphabet are read; null = the likeliest. */
export const textEncodingSchema = z.enum(textEncodings)
const encoding = textEncodingSchema.nullable().default(null)

export const unfinishedFileSchema = z.object({
  upload: z.string(),
  path: z.string(),
  sizeBytes: z.int(),
  /** Bytes that have arrived, were checked and lie on the disk. */
  receivedBytes: z.int(),
  unpack: unpackModeSchema,
})

export type UnfinishedFile = z.infer<typeof unfinishedFileSchema>

/** What was announced together and has not arrived whole. */
export const unfinishedBatchSchema = z.object({
  batch: z.string(),
  parentId: z.string().nullable(),
  /** Of the folder it goes to; '' for the top. */
  place: z.string(),
  startedAt: z.iso.datetime(),
  totalFiles: z.int(),
  totalBytes: z.int(),
  doneFiles: z.int(),
  doneBytes: z.int(),
  /** Bytes that have arrived of files that are not done. */
  openBytes: z.int(),
  /** Path of one file that is not done; its first folder is the one that was chosen. */
  openPath: z.string(),
  /** The archive that the browser packed loose files into, while it is not done. */
  packed: z.string().nullable(),
})
export type UnfinishedBatch = z.infer<typeof unfinishedBatchSchema>

/** Why something of an archive did not come out, or the archive as a whole cannot be unpacked. */
export const leftOutReasons = [
  'name',
  'link',
  'special',
  'encrypted',
  'method',
  'damaged',
  'overlaps',
  'too_deep',
  'too_large',
  'system',
  'time',
  'disk_full',
  'stopped',
] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

export const unpackFailures = [
  'unreadable',
  'empty',
  'too_many',
  'too_large',
  'bomb',
  'storage_full',
  'removed',
  'plan_limit',
  'disk_full',
  'stopped',
  'internal',
] as const
export type UnpackFailure = (typeof unpackFailures)[number]

export const unpackSchema = z.object({
  id: z.string(),
  /** Of the archive. */
  name: z.string(),
  state: z.enum(['waiting', 'working', 'done', 'failed']),
  failure: z.enum(unpackFailures).nullable(),
  /** Numbers for the failure's sentence. */
  params: z.record(z.string(), z.number()),
  /** The folder that everything came out into; null until it is made. */
  folderId: z.string().nullable(),
  doneFiles: z.int(),
  totalFiles: z.int(),
  doneBytes: z.int(),
  totalBytes: z.int(),
  /** The first ones of `leftOutCount`. */
  leftOut: z.array(z.object({ path: z.string(), reason: z.enum(leftOutReasons) })),
  leftOutCount: z.int(),
  /** Names that were taken twice and got a number; the first ones. */
  renamed: z.array(z.object({ path: z.string(), name: z.string() })),
  /** In which names were read that did not say; null where all did. */
  namesIn: textEncodingSchema.nullable(),
  startedAt: z.iso.datetime(),
})
export type Unpack = z.infer<typeof unpackSchema>

export const uploadCalls = {
  'files/prepare': route({
    summary: 'Announce an upload: makes folders, reserves space, gives one upload number a file',
    request: z.object({
      parentId: id.nullable(),
      /** For taken names without a decision of their own; `ask` changes nothing and answers with the names. */
      sameName: z.enum(['ask', ...sameNameSchema.options]),
      decisions: z
        .array(z.object({ path, sameName: sameNameSchema }))
        .max(files.filesPerFolderUpload)
        .default([]),
      files: z
        .array(
          z.object({ path, sizeBytes: z.int().min(0), unpack: unpackModeSchema.default('no'), encoding }),
        )
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
      /** By which `files/unfinished` knows these files again; null where nothing was announced. */
      batch: z.string().nullable(),
    }),
    errors: [
      'missing',
      'not_allowed',
      'plan_limit',
      'storage_full',
      'too_many_files',
      'too_many_folders',
      'too_many_uploads',
    ],
  }),
  'files/unfinished': route({
    summary: 'Totals of own uploads that have not arrived whole, the latest first',
    request: z.object({}),
    response: z.object({ batches: z.array(unfinishedBatchSchema).max(uploads.batchesShown) }),
    errors: [],
  }),
  'files/unfinishedFiles': route({
    summary: 'Files of one unfinished upload that have not arrived whole, page by page',
    request: z.object({ batch: id, after: id.nullable().default(null) }),
    response: z.object({
      files: z.array(unfinishedFileSchema).max(uploads.filesPage),
      /** The next `after`; null when these were all. */
      next: z.string().nullable(),
    }),
    errors: [],
  }),
  'files/received': route({
    summary: 'Checksums of what has arrived of an unfinished upload, block by block, to know the file again',
    request: z.object({ upload: id, fromBlock: z.int().min(0).default(0) }),
    response: z.object({
      receivedBytes: z.int(),
      blockBytes: z.int(),
      /** SHA-256 in base64 from `fromBlock` on; the last block may be shorter. */
      sums: z.array(z.string()).max(uploads.sumsPerCall),
      /** The next `fromBlock`; null when these were all. */
      next: z.int().nullable(),
    }),
    errors: ['upload_gone'],
  }),
  'files/cancel': route({
    summary: 'Give up unfinished uploads and return their space',
    request: z.object({ uploads: z.array(id).min(1).max(files.filesPerFolderUpload) }),
    response: z.object({ cancelled: z.int() }),
    errors: [],
  }),
  'files/cancelBatch': route({
    summary: 'Give up all that was announced together and has not arrived, and return its space',
    request: z.object({ batch: id }),
    response: z.object({ cancelled: z.int() }),
    errors: [],
  }),
  'files/unpack': route({
    summary: 'Unpack an archive into a new folder beside it (zip, tar, tar.gz)',
    request: z.object({ id, encoding }),
    response: unpackSchema,
    errors: ['missing', 'not_allowed', 'archive_unknown', 'unpack_running'],
  }),
  'files/archiveNames': route({
    summary:
      'How names of an archive that do not say their alphabet would be read; null = they leave no choice',
    request: z.object({ id }),
    response: z.object({
      samples: z
        .object({
          guess: textEncodingSchema,
          readings: z.array(z.object({ encoding: textEncodingSchema, names: z.array(z.string()) })),
        })
        .nullable(),
    }),
    errors: ['missing', 'not_allowed', 'archive_unknown'],
  }),
  'files/unpacks': route({
    summary: 'Own archives that are being unpacked, and the reports that were not put away',
    request: z.object({}),
    response: z.object({ unpacks: z.array(unpackSchema).max(archives.shown) }),
    errors: [],
  }),
  'files/stopUnpack': route({
    summary: 'Stop unpacking; what has come out whole stays',
    request: z.object({ id }),
    response: z.object({ stopped: z.boolean() }),
    errors: [],
  }),
  'files/dismissUnpack': route({
    summary: 'Put the reports of ended unpackings away',
    request: z.object({ ids: z.array(id).min(1).max(archives.shown) }),
    response: z.object({ dismissed: z.int() }),
    errors: [],
  }),
}

/** Address (below `AI/api/`) of the resumable upload; tus 1.0 with `Upload-Checksum: sha256 <base64>` on each chunk. */
export const UPLOAD_PATH = 'chunk/upload'

/**
 * Address (below `AI/api/`) of several small announced files in one request: a line of JSON, `bundleSchema`, and behind
 * it their bytes in that order. What is refused of it can still be sent by tus.
 */
export const BUNDLE_PATH = 'chunk/bundle'

export const bundleSchema = z.strictObject({
  files: z
    .array(
      z.strictObject({
        upload: z.string().min(1).max(40),
        sizeBytes: z.int().min(0),
        /** SHA-256 in base64. */
        checksum: z.string().length(44),
      }),
    )
    .min(1)
    .max(uploads.bundleFiles),
})
export type Bundle = z.infer<typeof bundleSchema>
/** Numbers of the files that are in the cloud now, or were passed over as was said for taken names. */
export type BundleAnswer = { taken: string[] }

/** Address (below `AI/api/`) of the upload of one small file in one request (multipart/form-data). */
export const SINGLE_UPLOAD_PATH = 'project/file/upload'

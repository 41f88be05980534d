/** Code uploads: what members hand in, and how administrators read, decide and run it. */
import * as z from 'zod'
import { code as limits, membership } from '../limits.ts'
import { route } from '../route.ts'
import { codeFindings, codeFolders, codeOutcomes, codeStates } from './code.ts'

const id = z.string().min(1).max(40)
const page = z.int().min(1).max(100_000).default(1)

export const codeUploadSchema = z.object({
  id: z.string(),
  name: z.string(),
  sizeBytes: z.int(),
  folders: z.array(z.enum(codeFolders)),
  /** Files, without folders. */
  files: z.int(),
  /** What they take when they are unpacked, as the archive says. */
  unpackedBytes: z.int(),
  state: z.enum(codeStates),
  /** Why it was rejected. */
  reason: z.string(),
  /** How often each was found; nothing was executed for it. */
  findings: z.partialRecord(z.enum(codeFindings), z.int()),
  /** The content of its files was looked through as well. */
  isInspected: z.boolean(),
  uploadedAt: z.iso.datetime(),
  reviewedAt: z.iso.datetime().nullable(),
})
export type CodeUpload = z.infer<typeof codeUploadSchema>

const entrySchema = z.object({
  path: z.string(),
  isFolder: z.boolean(),
  sizeBytes: z.int(),
  findings: z.array(z.enum(codeFindings)),
  /** Lines of hints, in Python texts. */
  lines: z.array(z.object({ finding: z.enum(codeFindings), line: z.int() })),
})
export type CodeEntry = z.infer<typeof entrySchema>

const entries = z.object({ entries: z.array(entrySchema) })

export const codeCalls = {
  'codeUpload/list': route({
    summary: 'One page of the own code uploads, the newest first',
    request: z.object({ page }),
    response: z.object({ uploads: z.array(codeUploadSchema), total: z.int(), pageSize: z.int() }),
    errors: [],
  }),
  'codeUpload/entries': route({
    summary: 'The files of an own upload, with what the intake found',
    request: z.object({ id }),
    response: entries,
    errors: ['code_missing'],
  }),
  'codeUpload/remove': route({
    summary: 'Delete an own upload with its bytes and runs',
    request: z.object({ id }),
    response: z.object({}),
    errors: ['code_missing', 'code_runs'],
  }),
}

export const officeCodeSchema = codeUploadSchema.extend({
  /** `account` '' where it is gone. */
  member: z.object({ account: z.string(), nickName: z.string() }),
  /** Nobody reviews an own upload. */
  isOwn: z.boolean(),
})
export type OfficeCode = z.infer<typeof officeCodeSchema>

/** What a server needs to run code safely. */
const sandboxParts = [
  'bubblewrap',
  'user_namespaces',
  'prlimit',
  'timeout',
  'python',
  'system_call_filter',
] as const

export const codeRunSchema = z.object({
  id: z.string(),
  path: z.string(),
  state: z.enum(['queued', 'running', 'ended', 'refused']),
  outcome: z.enum(codeOutcomes).nullable(),
  exitCode: z.int().nullable(),
  /** What the machine lacked, where it was refused. */
  missing: z.array(z.enum(sandboxParts)),
  /** What it printed, cut. */
  printed: z.string(),
  /** What it left in the output folder. */
  output: z.array(z.object({ path: z.string(), sizeBytes: z.int() })),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type CodeRun = z.infer<typeof codeRunSchema>

const reason = z.string().trim().min(1).max(membership.reasonLength)

export const codeOfficeCalls = {
  'office/codeUploads': route({
    summary:
      'One page of the code uploads of members, those that wait first; for administrators, as all calls here',
    request: z.object({ state: z.enum(codeStates).nullable().default('pending_review'), page }),
    response: z.object({ uploads: z.array(officeCodeSchema), total: z.int(), pageSize: z.int() }),
    errors: [],
  }),
  'office/codeEntries': route({
    summary: 'The files of an upload, with what the intake found',
    request: z.object({ id }),
    response: entries,
    errors: ['code_missing'],
  }),
  'office/codeFile': route({
    summary: 'The text of one file of an upload; null where it is none, cut where it is long',
    request: z.object({ id, path: z.string().min(1).max(limits.pathLength) }),
    response: z.object({ text: z.string().nullable(), isWhole: z.boolean() }),
    errors: ['code_missing', 'code_unsafe'],
  }),
  'office/codeUpload': route({
    summary: 'Approve an upload, or reject it for a reason',
    request: z.object({
      id,
      decision: z.discriminatedUnion('is', [
        z.object({ is: z.literal('approved') }),
        z.object({ is: z.literal('rejected'), reason }),
      ]),
    }),
    response: officeCodeSchema,
    errors: ['code_missing', 'code_decided', 'code_unsafe', 'code_uninspected', 'not_allowed'],
  }),
  'office/codeSandbox': route({
    summary: 'Whether this machine can run code safely, and what it lacks',
    request: z.object({}),
    response: z.object({ missing: z.array(z.enum(sandboxParts)) }),
    errors: [],
  }),
  'office/codeRun': route({
    summary:
      'Run one Python file of an approved upload in the sandbox: without network, data and environment',
    request: z.object({ id, path: z.string().min(1).max(limits.pathLength) }),
    response: codeRunSchema,
    errors: [
      'code_missing',
      'code_unapproved',
      'code_no_python',
      'code_runs',
      'sandbox_missing',
      'not_allowed',
    ],
  }),
  'office/codeRuns': route({
    summary: 'The runs of an upload, the newest first',
    request: z.object({ id }),
    response: z.object({ runs: z.array(codeRunSchema) }),
    errors: ['code_missing'],
  }),
}

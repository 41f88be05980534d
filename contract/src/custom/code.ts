/** Code that members upload: its folders, its states, and what the intake says of its entries. Pure. */

/** Takes the bytes of a zip as they are, with its name in the query. */
export const CODE_UPLOAD_PATH = 'codeUpload/file'

/** The only names at the top of an archive, spelled exactly (specification, section 5). */
export const codeFolders = [
  'classification',
  'segmentation',
  'Super-resolution',
  'Object detection',
  '4d_Flow-MRI',
] as const
export type CodeFolder = (typeof codeFolders)[number]

export const isCodeFolder = (name: string): name is CodeFolder => codeFolders.some((one) => one === name)

export const codeStates = ['pending_review', 'approved', 'rejected'] as const
export type CodeState = (typeof codeStates)[number]

/** What is not in the table is refused. */
export const codeTransitions = {
  pending_review: { approve: 'approved', reject: 'rejected' },
  approved: {},
  rejected: {},
} as const satisfies Record<CodeState, Partial<Record<'approve' | 'reject', CodeState>>>

export function codeStateAfter(state: CodeState, action: 'approve' | 'reject'): CodeState | null {
  const allowed: Partial<Record<'approve' | 'reject', CodeState>> = codeTransitions[state]
  return allowed[action] ?? null
}

/** With one of these an upload can only be rejected: such entries are never unpacked. */
export const codeDangers = [
  'absolute_path',
  'parent_path',
  'bad_name',
  'symlink',
  'special',
  'setuid',
  'encrypted',
  'damaged',
  'overlaps',
  'bomb',
  'duplicate',
  'case_twin',
] as const
/** For the reviewer to look at. `network`, `process` and `dynamic` are words in Python text, which prove nothing. */
export const codeHints = ['nested_archive', 'binary', 'hidden', 'network', 'process', 'dynamic'] as const
export const codeFindings = [...codeDangers, ...codeHints] as const
export type CodeFinding = (typeof codeFindings)[number]

export const isDanger = (finding: CodeFinding): boolean => codeDangers.some((one) => one === finding)

/** How a run ended: by itself with 0 or another code, or at a limit. */
export const codeOutcomes = ['done', 'failed', 'time', 'memory', 'output'] as const
export type CodeOutcome = (typeof codeOutcomes)[number]

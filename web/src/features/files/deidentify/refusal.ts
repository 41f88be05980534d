/** Why a file cannot be de-identified; nothing of such a file is sent without the member's word. */

/**
 * `broken`: its structure does not add up; `truncated`: it ends early; `nested`: deeper or larger than any real object;
 * `deflated`: its packed part cannot be unpacked; `directory`: the index of a disc; `packed`: DICOM inside an archive;
 * `unsure`: the check after the work found something left; `unreadable`: the browser cannot read it.
 */
export const refusalReasons = [
  'broken',
  'truncated',
  'nested',
  'deflated',
  'directory',
  'packed',
  'unsure',
  'unreadable',
] as const
export type RefusalReason = (typeof refusalReasons)[number]

export class Refusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, detail = '') {
    super(detail ? `${reason}: ${detail}` : reason)
    this.reason = reason
  }
}

import type { uploadCalls } from '@neuroloom/contract/uploads'
import { signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import { prepare } from '../transfer/prepare.ts'
import { archiveNames } from '../unpack/names.ts'
import * as unpack from '../unpack/unpack.ts'
import { received, unfinished, unfinishedFiles } from './resume.ts'
import { cancel, cancelBatch } from './uploads.ts'

export const uploadRows: Rows<keyof typeof uploadCalls> = {
  'files/prepare': { access: signedIn, run: prepare, inTurn: true },
  'files/unfinished': { access: signedIn, run: unfinished },
  'files/received': { access: signedIn, run: received },
  'files/unfinishedFiles': { access: signedIn, run: unfinishedFiles },
  'files/cancel': { access: signedIn, run: cancel },
  'files/cancelBatch': { access: signedIn, run: cancelBatch },
  'files/archiveNames': { access: signedIn, run: archiveNames },
  'files/unpack': { access: signedIn, run: unpack.start },
  // Asked by pages while something is being unpacked.
  'files/unpacks': { access: signedIn, run: unpack.list, keepsSession: false },
  'files/stopUnpack': { access: signedIn, run: unpack.stop },
  'files/dismissUnpack': { access: signedIn, run: unpack.dismiss },
}

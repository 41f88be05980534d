import type { burnedInCalls } from '@neuroloom/contract/burned-in'
import { signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import * as texts from './burned-in.ts'
import { black, confirm, confirmAll } from './confirm.ts'

export const burnedInRows: Rows<keyof typeof burnedInCalls> = {
  'files/seekTexts': { access: signedIn, run: texts.start },
  // Both are asked by pages while something is being looked for.
  'files/textScans': { access: signedIn, run: texts.list, keepsSession: false },
  'files/textPictures': { access: signedIn, run: texts.pictures, keepsSession: false },
  'files/confirmTexts': { access: signedIn, run: confirm },
  'files/confirmAllTexts': { access: signedIn, run: confirmAll },
  'files/blackTexts': { access: signedIn, run: black },
  'files/retryTexts': { access: signedIn, run: texts.retry },
  'files/cancelTexts': { access: signedIn, run: texts.cancel },
  'files/forgetTexts': { access: signedIn, run: texts.forget },
}

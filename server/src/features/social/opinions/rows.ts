import type { socialOpinionCalls } from '@neuroloom/contract/social/opinions'
import { signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import { social } from '../access.ts'
import * as opinions from './opinions.ts'

export const opinionRows: Rows<keyof typeof socialOpinionCalls> = {
  'opinion/ask': { access: signedIn, run: social(opinions.ask) },
  // Asked by pages as long as they are open.
  'opinion/show': { access: signedIn, run: social(opinions.show), keepsSession: false },
  'opinion/view': { access: signedIn, run: social(opinions.view), keepsSession: false },
  'opinion/answer': { access: signedIn, run: social(opinions.answer) },
  'opinion/close': { access: signedIn, run: social(opinions.close) },
}

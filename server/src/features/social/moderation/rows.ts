import type { socialOfficeCalls, socialPostCalls } from '@neuroloom/contract/social/posts'
import { administrator, signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import { social, socialOffice } from '../access.ts'
import * as office from './office.ts'
import { report } from './reports.ts'

type Calls = Pick<typeof socialPostCalls, 'social/report'> & typeof socialOfficeCalls

export const moderationRows: Rows<keyof Calls> = {
  'social/report': { access: signedIn, run: social(report) },
  'office/socialReports': { access: administrator, run: socialOffice(office.list) },
  'office/decideSocialReport': { access: administrator, run: socialOffice(office.decide) },
}

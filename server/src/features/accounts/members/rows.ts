import type { memberImportCalls } from '@neuroloom/contract/accounts/member-import'
import type { memberCalls } from '@neuroloom/contract/accounts/members'
import { administrator } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import * as change from './change.ts'
import { create } from './create.ts'
import { importMembers, preview } from './import.ts'
import { list, signInsOf } from './show.ts'

export const memberRows: Rows<keyof typeof memberCalls | keyof typeof memberImportCalls> = {
  'members/list': { access: administrator, run: list },
  'members/sessions': { access: administrator, run: signInsOf, keepsSession: false },
  'members/preview': { access: administrator, run: preview },
  'members/import': { access: administrator, run: importMembers },
  'members/create': { access: administrator, run: create },
  'members/password': { access: administrator, run: change.password },
  'members/unlock': { access: administrator, run: change.unlock },
  'members/role': { access: administrator, run: change.role },
  'members/level': { access: administrator, run: change.level },
  'members/super': { access: administrator, run: change.superMember },
  'members/signOut': { access: administrator, run: change.signOut },
  'members/secondFactorOff': { access: administrator, run: change.secondFactorOff },
  'members/block': { access: administrator, run: change.block },
  'members/close': { access: administrator, run: change.close },
}

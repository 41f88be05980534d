import type { moduleCalls } from '@neuroloom/contract/office/modules'
import type { operationCalls } from '@neuroloom/contract/office/operations'
import { administrator, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import * as announcements from './announcements.ts'
import * as backups from './backups.ts'
import * as modules from './modules.ts'
import { overview } from './overview.ts'
import * as runs from './runs.ts'

export const rows: Rows<keyof typeof operationCalls | keyof typeof moduleCalls> = {
  'office/overview': { access: administrator, run: overview },
  'office/runs': { access: administrator, run: runs.list },
  'office/stopRun': { access: administrator, run: runs.stop },
  'office/preferRun': { access: administrator, run: runs.putFirst },
  'office/announcements': { access: administrator, run: announcements.list },
  'office/announce': { access: administrator, run: announcements.announce },
  'office/endAnnouncement': { access: administrator, run: announcements.end },
  'office/backups': { access: administrator, run: backups.list },
  'office/backup': { access: administrator, run: backups.make },
  'office/backupPlan': { access: administrator, run: backups.savePlan },
  'office/testBackup': { access: administrator, run: backups.test },
  'office/modules': { access: administrator, run: modules.list },
  'office/switchModule': { access: administrator, run: modules.turn },
  'announcements/current': { access: signedIn, run: announcements.current },
}

import type { cloudCalls } from '@neuroloom/contract/files'
import type { publicFolderCalls } from '@neuroloom/contract/office/published'
import { administrator, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { properties } from './properties.ts'
import { listPublic, publish } from './publish.ts'
import { listPublished, withdraw } from './publish-office.ts'
import { exportRecords } from './records/record-export.ts'
import { listRecords } from './records/record-list.ts'
import { purgeOwn } from './recycle/purge.ts'
import { recycled } from './recycle/recycle-list.ts'
import { seriesFiles } from './series/files.ts'
import { copy, move } from './transfer/transfer.ts'
import { download } from './zip/zip.ts'

export const cloudRows: Rows<keyof typeof cloudCalls | keyof typeof publicFolderCalls> = {
  'files/move': { access: signedIn, run: move },
  'files/copy': { access: signedIn, run: copy },
  'files/properties': { access: signedIn, run: properties },
  'files/seriesFiles': { access: signedIn, run: seriesFiles },
  'files/download': { access: signedIn, run: download },
  'files/recycled': { access: signedIn, run: recycled },
  'files/purge': { access: signedIn, run: purgeOwn },
  'files/public': { access: signedIn, run: listPublic },
  'files/publish': { access: administrator, run: publish },
  'office/publicFolders': { access: administrator, run: listPublished },
  'office/withdrawFolder': { access: administrator, run: withdraw },
  'files/records': { access: signedIn, run: listRecords },
  'files/exportRecords': { access: signedIn, run: exportRecords },
}

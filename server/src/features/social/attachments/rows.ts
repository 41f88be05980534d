import type { socialAttachmentCalls } from '@neuroloom/contract/social/attachments'
import type { FastifyInstance } from 'fastify'
import { signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import type { Context } from '../../../infra/context.ts'
import { social } from '../access.ts'
import { ownCards } from './cards.ts'
import { shareFile } from './files.ts'
import { addImageRoute, openAttachments } from './open.ts'
import { addReportImageRoute } from './reported.ts'
import { addImageUpload } from './upload.ts'

export const attachmentRows: Rows<keyof typeof socialAttachmentCalls> = {
  'social/openAttachments': { access: signedIn, run: social(openAttachments), keepsSession: false },
  'social/ownCards': { access: signedIn, run: social(ownCards) },
  'social/shareFile': { access: signedIn, run: social(shareFile) },
}

export function raw(app: FastifyInstance, ctx: Context): void {
  addImageUpload(app, ctx)
  addImageRoute(app, ctx)
  addReportImageRoute(app, ctx)
}

import type { deidentificationCalls } from '@neuroloom/contract/deidentification'
import type { fileCalls } from '@neuroloom/contract/files'
import type { uploadCalls } from '@neuroloom/contract/uploads'
import type { FastifyInstance } from 'fastify'
import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import type { Context } from '../../infra/context.ts'
import { addContentRoutes } from './content.ts'
import * as deidentification from './deidentification.ts'
import { list } from './listing.ts'
import { addSingleUpload } from './multipart.ts'
import * as files from './service.ts'
import { addUploadRoutes } from './upload-routes.ts'
import { uploadRows } from './upload-rows.ts'

export const rows: Rows<
  keyof typeof fileCalls | keyof typeof uploadCalls | keyof typeof deidentificationCalls
> = {
  'files/list': { access: signedIn, run: list },
  'files/createFolder': { access: signedIn, run: files.createFolder },
  'files/rename': { access: signedIn, run: files.rename },
  'files/remove': { access: signedIn, run: files.remove },
  'files/restore': { access: signedIn, run: files.restore },
  'files/open': { access: signedIn, run: files.open },
  'files/deidentification': { access: signedIn, run: deidentification.find },
  'files/deidentificationKey': { access: signedIn, run: deidentification.giveKey },
  'files/recordDeidentification': { access: signedIn, run: deidentification.keep },
  ...uploadRows,
}

/** Uploads, content and thumbnails. */
export function raw(app: FastifyInstance, ctx: Context): void {
  addUploadRoutes(app, ctx)
  addSingleUpload(app, ctx)
  addContentRoutes(app, ctx)
}

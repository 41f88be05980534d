import type { deidentificationCalls } from '@neuroloom/contract/deidentification'
import type { fileCalls } from '@neuroloom/contract/files'
import type { FastifyInstance } from 'fastify'
import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import type { Context } from '../../infra/context.ts'
import { addContentRoutes } from './content.ts'
import * as deidentification from './deidentification.ts'
import { list } from './listing.ts'
import { prepare } from './prepare.ts'
import * as files from './service.ts'
import { addUploadRoutes } from './upload-routes.ts'
import { cancel } from './uploads.ts'

export const rows: Rows<keyof typeof fileCalls | keyof typeof deidentificationCalls> = {
  'files/list': { access: signedIn, run: list },
  'files/createFolder': { access: signedIn, run: files.createFolder },
  'files/rename': { access: signedIn, run: files.rename },
  'files/remove': { access: signedIn, run: files.remove },
  'files/restore': { access: signedIn, run: files.restore },
  'files/open': { access: signedIn, run: files.open },
  'files/deidentification': { access: signedIn, run: deidentification.find },
  'files/deidentificationKey': { access: signedIn, run: deidentification.giveKey },
  'files/recordDeidentification': { access: signedIn, run: deidentification.keep },
  'files/prepare': { access: signedIn, run: prepare },
  'files/cancel': { access: signedIn, run: cancel },
}

/** Uploads, content and thumbnails. */
export function raw(app: FastifyInstance, ctx: Context): void {
  addUploadRoutes(app, ctx)
  addContentRoutes(app, ctx)
}

import type { burnedInCalls } from '@neuroloom/contract/burned-in'
import type { conversionCalls } from '@neuroloom/contract/conversions'
import type { deidentificationCalls } from '@neuroloom/contract/deidentification'
import type { cloudCalls, fileCalls } from '@neuroloom/contract/files'
import type { groupCalls } from '@neuroloom/contract/groups'
import type { publicFolderCalls } from '@neuroloom/contract/office/published'
import type { overlayCalls } from '@neuroloom/contract/reading/overlays'
import type { sharingCalls } from '@neuroloom/contract/sharing'
import type { uploadCalls } from '@neuroloom/contract/uploads'
import type { viewCalls } from '@neuroloom/contract/viewing'
import type { FastifyInstance } from 'fastify'
import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import type { Context } from '../../infra/context.ts'
import { addFrameRoute } from './burned-in/frame.ts'
import { burnedInRows } from './burned-in/rows.ts'
import { cloudRows } from './cloud-rows.ts'
import { addContentRoutes } from './content.ts'
import { list } from './listing.ts'
import * as deidentification from './patients/deidentification.ts'
import { addRecordRoute } from './records/record-export.ts'
import { remove, restore } from './recycle/recycle.ts'
import * as files from './service.ts'
import { sharingRows } from './sharing/rows.ts'
import { addBundleRoute } from './upload/bundle.ts'
import { addSingleUpload } from './upload/multipart.ts'
import { addUploadRoutes } from './upload/routes.ts'
import { uploadRows } from './upload/rows.ts'
import { addShownRoute } from './view/content.ts'
import { viewRows } from './view/rows.ts'
import { addZipRoute } from './zip/zip.ts'

export const rows: Rows<
  | keyof typeof fileCalls
  | keyof typeof cloudCalls
  | keyof typeof publicFolderCalls
  | keyof typeof uploadCalls
  | keyof typeof sharingCalls
  | keyof typeof groupCalls
  | keyof typeof viewCalls
  | keyof typeof overlayCalls
  | keyof typeof conversionCalls
  | keyof typeof burnedInCalls
  | keyof typeof deidentificationCalls
> = {
  'files/list': { access: signedIn, run: list },
  'files/createFolder': { access: signedIn, run: files.createFolder },
  'files/rename': { access: signedIn, run: files.rename },
  'files/remove': { access: signedIn, run: remove },
  'files/restore': { access: signedIn, run: restore },
  'files/open': { access: signedIn, run: files.open },
  'files/deidentification': { access: signedIn, run: deidentification.find },
  'files/deidentificationKey': { access: signedIn, run: deidentification.giveKey },
  'files/recordDeidentification': { access: signedIn, run: deidentification.keep },
  ...cloudRows,
  ...uploadRows,
  ...sharingRows,
  ...viewRows,
  ...burnedInRows,
}

/** Uploads, content, thumbnails, and what is made while it is sent. */
export function raw(app: FastifyInstance, ctx: Context): void {
  addUploadRoutes(app, ctx)
  addBundleRoute(app, ctx)
  addSingleUpload(app, ctx)
  addContentRoutes(app, ctx)
  addZipRoute(app, ctx)
  addShownRoute(app, ctx)
  addFrameRoute(app, ctx)
  addRecordRoute(app, ctx)
}

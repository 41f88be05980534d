import type { codeCalls, codeOfficeCalls } from '@neuroloom/contract/custom/code-calls'
import type { customOfficeCalls, customTaskCalls } from '@neuroloom/contract/custom/task-calls'
import { administrator, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { sold } from '../payments/access.ts'
import * as codeReviews from './code/review.ts'
import * as codeRuns from './code/run.ts'
import * as uploads from './code/uploads.ts'
import { pay } from './tasks/pay.ts'
import * as prices from './tasks/prices.ts'
import * as requests from './tasks/request.ts'
import * as reviews from './tasks/review.ts'
import * as work from './tasks/work.ts'

type Calls = typeof customTaskCalls & typeof customOfficeCalls & typeof codeCalls & typeof codeOfficeCalls

export const rows: Rows<keyof Calls> = {
  'customTask/prices': { access: signedIn, run: sold(prices.show) },
  'customTask/list': { access: signedIn, run: sold(requests.list) },
  'customTask/detail': { access: signedIn, run: sold(requests.detail) },
  'customTask/create': { access: signedIn, module: 'custom', run: sold(requests.create) },
  'customTask/resubmit': { access: signedIn, module: 'custom', run: sold(requests.resubmit) },
  'customTask/remove': { access: signedIn, run: sold(requests.remove) },
  'customTask/pay': { access: signedIn, module: 'custom', run: sold(pay) },
  'customTask/assigned': { access: signedIn, run: sold(work.assigned) },
  'customTask/progress': { access: signedIn, run: sold(work.report) },
  'customTask/complete': { access: signedIn, run: sold(work.complete) },
  'office/customTasks': { access: administrator, run: sold(reviews.list) },
  'office/customTask': { access: administrator, run: sold(reviews.decide) },
  'office/customProvider': { access: administrator, run: sold(reviews.assign) },
  'office/customPrice': { access: administrator, run: sold(prices.save) },
  // Nothing of it is sold: a hospital's own server has it as well.
  'codeUpload/list': { access: signedIn, run: uploads.list },
  'codeUpload/entries': { access: signedIn, run: uploads.entries },
  'codeUpload/remove': { access: signedIn, run: uploads.remove },
  'office/codeUploads': { access: administrator, run: codeReviews.list },
  'office/codeEntries': { access: administrator, run: codeReviews.entries },
  'office/codeFile': { access: administrator, run: codeReviews.file },
  'office/codeUpload': { access: administrator, run: codeReviews.decide },
  'office/codeSandbox': { access: administrator, run: codeRuns.readiness },
  'office/codeRun': { access: administrator, run: codeRuns.start },
  'office/codeRuns': { access: administrator, run: codeRuns.list },
}

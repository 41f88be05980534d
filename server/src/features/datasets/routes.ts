import type { datasetCalls } from '@neuroloom/contract/datasets'
import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { windowPreview } from './dicom/preview.ts'
import { doubles, leaveAside, shared } from './doubles/show.ts'
import { inProjects } from './in-projects.ts'
import { patients } from './patients.ts'
import * as datasets from './service.ts'
import { detail, items, list, problems } from './show.ts'

export const rows: Rows<keyof typeof datasetCalls> = {
  'datasets/recognise': { access: signedIn, run: datasets.recognise },
  'datasets/recheck': { access: signedIn, run: datasets.recheck },
  'datasets/readAs': { access: signedIn, run: datasets.readAs },
  'datasets/patients': { access: signedIn, run: patients },
  'datasets/list': { access: signedIn, run: list },
  'datasets/inProjects': { access: signedIn, run: inProjects },
  'datasets/detail': { access: signedIn, run: detail },
  'datasets/items': { access: signedIn, run: items },
  'datasets/problems': { access: signedIn, run: problems },
  'datasets/doubles': { access: signedIn, run: doubles },
  'datasets/shared': { access: signedIn, run: shared },
  'datasets/leaveAside': { access: signedIn, run: leaveAside },
  'datasets/windowPreview': { access: signedIn, run: windowPreview },
  'datasets/add': { access: signedIn, run: datasets.add },
  'datasets/setUse': { access: signedIn, run: datasets.setUse },
  'datasets/rename': { access: signedIn, run: datasets.rename },
  'datasets/remove': { access: signedIn, run: datasets.remove },
}

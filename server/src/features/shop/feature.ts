import type { Feature } from '../../infra/feature.ts'
import { goOn } from './check.ts'
import { sharedListings } from './give.ts'
import { modelGoods } from './goods.ts'
import { register } from './jobs.ts'
import { addWeightsRoute } from './links.ts'
import { eraseOf, exportOf } from './own.ts'
import { rows } from './routes.ts'
import { soldModel } from './use.ts'

export const shop: Feature = {
  name: 'shop',
  rows,
  raw: addWeightsRoute,
  jobs: register,
  tells: {
    bytesKept: [
      { table: 'listing_versions', column: 'manifest_sha256' },
      { table: 'listing_versions', column: 'weights_sha256' },
    ],
    ...{ exportOf, eraseOf, soldModel, goods: modelGoods },
    runEnded: goOn,
    sharedThings: sharedListings,
  },
}

import type { Feature } from '../../infra/feature.ts'
import { addFileRoute } from './files.ts'
import { workGoods } from './goods.ts'
import { register } from './jobs.ts'
import { eraseOf, exportOf, requireNothingHeld } from './own.ts'
import { rows } from './routes.ts'

export const market: Feature = {
  name: 'market',
  rows,
  raw: addFileRoute,
  jobs: register,
  tells: {
    bytesKept: [{ table: 'market_files', column: 'sha256' }],
    ...{ exportOf, eraseOf, goods: workGoods, mayClose: requireNothingHeld },
  },
}

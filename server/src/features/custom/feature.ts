import type { Feature } from '../../infra/feature.ts'
import { addCodeRoute } from './code/receive.ts'
import { register } from './jobs.ts'
import { eraseOf, exportOf } from './own.ts'
import { rows } from './routes.ts'
import { customGoods } from './tasks/pay.ts'

export const custom: Feature = {
  name: 'custom',
  rows,
  raw: addCodeRoute,
  jobs: register,
  tells: {
    bytesKept: [{ table: 'code_uploads', column: 'sha256' }],
    ...{ exportOf, eraseOf, goods: customGoods },
  },
}

import type { Feature } from '../../infra/feature.ts'
import { addCallbacks } from './callbacks.ts'
import { addCashier } from './cashier/page.ts'
import { register } from './jobs.ts'
import { eraseOf, exportOf } from './own.ts'
import { rows } from './routes.ts'
import { planGoods } from './vip/goods.ts'

export const payments: Feature = {
  name: 'payments',
  rows,
  raw: async (app, ctx) => {
    addCashier(app, ctx)
    await addCallbacks(app, ctx)
  },
  jobs: register,
  tells: { exportOf, eraseOf, goods: planGoods },
}

import type { orderCalls, orderOfficeCalls } from '@neuroloom/contract/membership/orders'
import type { vipCalls, vipOfficeCalls } from '@neuroloom/contract/membership/vip'
import { administrator, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { sold } from './access.ts'
import * as officeInvoices from './office/invoices.ts'
import * as officeOrders from './office/orders.ts'
import * as orders from './orders.ts'
import * as points from './points.ts'
import { offers, pay } from './vip/pay.ts'
import * as plans from './vip/plans.ts'

type Calls = typeof vipCalls & typeof orderCalls & typeof vipOfficeCalls & typeof orderOfficeCalls

export const rows: Rows<keyof Calls> = {
  'vip/list': { access: signedIn, run: sold(plans.list) },
  'vip/offers': { access: signedIn, run: sold(offers) },
  'vip/pay': { access: signedIn, run: sold(pay) },
  'payment/wechat/payState': { access: signedIn, run: sold(orders.payState('wechat')), keepsSession: false },
  'payment/alipay/payState': { access: signedIn, run: sold(orders.payState('alipay')), keepsSession: false },
  'payment/orders': { access: signedIn, run: sold(orders.own) },
  'payment/cancel': { access: signedIn, run: sold(orders.cancel) },
  'points/list': { access: signedIn, run: sold(points.list) },
  'office/plans': { access: administrator, run: sold(plans.officeList) },
  'office/savePlan': { access: administrator, run: sold(plans.save) },
  'office/orders': { access: administrator, run: sold(officeOrders.list) },
  'office/confirmTransfer': { access: administrator, run: sold(officeOrders.confirmTransfer) },
  'office/refund': { access: administrator, run: sold(officeOrders.refund) },
  'office/returned': { access: administrator, run: sold(officeOrders.returned) },
  'office/invoices': { access: administrator, run: sold(officeInvoices.list) },
  'office/invoice': { access: administrator, run: sold(officeInvoices.decide) },
}

import type { shopCalls } from '@neuroloom/contract/shop/calls'
import type { sellerCalls, shopOfficeCalls } from '@neuroloom/contract/shop/seller'
import { administrator, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { sold } from '../payments/access.ts'
import * as buying from './buy.ts'
import { card } from './card.ts'
import { claim } from './claims.ts'
import { give } from './give.ts'
import { weights } from './links.ts'
import * as lists from './list.ts'
import * as offers from './offer.ts'
import * as office from './office.ts'
import * as reviews from './reviews.ts'
import * as selling from './sales.ts'
import { detail } from './show.ts'
import { candidates } from './source.ts'
import { statement } from './statement.ts'
import * as using from './use.ts'

type Calls = typeof shopCalls & typeof sellerCalls & typeof shopOfficeCalls

export const rows: Rows<keyof Calls> = {
  'shop/list': { access: signedIn, run: sold(lists.list) },
  'shop/detail': { access: signedIn, run: sold(detail) },
  'shop/reviews': { access: signedIn, run: sold(reviews.list) },
  'shop/statement': { access: signedIn, run: sold(statement) },
  'shop/card': { access: signedIn, run: sold(card) },
  'shop/buy': { access: signedIn, module: 'shop', run: sold(buying.buy) },
  'shop/methods': { access: signedIn, module: 'shop', run: sold(buying.methods) },
  'shop/place': { access: signedIn, module: 'shop', run: sold(buying.place) },
  'shop/held': { access: signedIn, run: sold(lists.held) },
  'shop/open': { access: signedIn, run: sold(using.open) },
  'shop/predict': { access: signedIn, run: sold(using.predict) },
  'shop/drive': { access: signedIn, module: 'shop', run: sold(using.drive) },
  'shop/weights': { access: signedIn, run: sold(weights) },
  'shop/review': { access: signedIn, module: 'shop', run: sold(reviews.review) },
  'shop/claim': { access: signedIn, run: sold(claim) },
  'shop/mine': { access: signedIn, run: sold(selling.mine) },
  'shop/sales': { access: signedIn, run: sold(selling.list) },
  'shop/candidates': { access: signedIn, module: 'shop', run: sold(candidates) },
  'shop/offer': { access: signedIn, module: 'shop', run: sold(offers.offer) },
  'shop/renew': { access: signedIn, module: 'shop', run: sold(offers.renew) },
  'shop/edit': { access: signedIn, run: sold(offers.edit) },
  'shop/show': { access: signedIn, run: sold(offers.show) },
  'shop/give': { access: signedIn, module: 'shop', run: sold(give) },
  'office/listings': { access: administrator, run: sold(office.list) },
  'office/listing': { access: administrator, run: sold(office.judge) },
  'office/claims': { access: administrator, run: sold(office.claims) },
  'office/claim': { access: administrator, run: sold(office.judgeClaim) },
}

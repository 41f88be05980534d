import type { demandCalls } from '@neuroloom/contract/market/calls'
import type { marketOfficeCalls } from '@neuroloom/contract/market/office'
import type { providerCalls } from '@neuroloom/contract/market/provider'
import { administrator, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { sold } from '../payments/access.ts'
import * as cases from './cases.ts'
import { accept, deliver, sendBack } from './deliver.ts'
import { decide, dispute, giveUp } from './disputes.ts'
import { file } from './files.ts'
import { list } from './list.ts'
import * as offers from './offers.ts'
import { list as officeList } from './office.ts'
import * as posting from './post.ts'
import * as providers from './providers.ts'
import { rate } from './rate.ts'
import { select } from './select.ts'
import { detail } from './show.ts'

type Calls = typeof demandCalls & typeof marketOfficeCalls & typeof providerCalls

export const rows: Rows<keyof Calls> = {
  'demand/list': { access: signedIn, run: sold(list) },
  'demand/detail': { access: signedIn, run: sold(detail) },
  'demand/post': { access: signedIn, module: 'market', run: sold(posting.post) },
  'demand/edit': { access: signedIn, module: 'market', run: sold(posting.edit) },
  'demand/withdraw': { access: signedIn, run: sold(posting.withdraw) },
  'demand/deliver': { access: signedIn, run: sold(deliver) },
  'demand/sendBack': { access: signedIn, run: sold(sendBack) },
  'demand/accept': { access: signedIn, run: sold(accept) },
  'demand/dispute': { access: signedIn, run: sold(dispute) },
  'demand/giveUp': { access: signedIn, run: sold(giveUp) },
  'demand/rate': { access: signedIn, run: sold(rate) },
  'offer/save': { access: signedIn, module: 'market', run: sold(offers.save) },
  'offer/remove': { access: signedIn, run: sold(offers.remove) },
  'offer/select': { access: signedIn, module: 'market', run: sold(select) },
  'market/file': { access: signedIn, run: sold(file) },
  'provider/list': { access: signedIn, module: 'market', run: sold(providers.list) },
  'provider/detail': { access: signedIn, module: 'market', run: sold(providers.detail) },
  'provider/ratings': { access: signedIn, module: 'market', run: sold(providers.ratings) },
  'provider/save': { access: signedIn, module: 'market', run: sold(providers.save) },
  'case/list': { access: signedIn, module: 'market', run: sold(cases.list) },
  'case/detail': { access: signedIn, module: 'market', run: sold(cases.detail) },
  'case/save': { access: signedIn, module: 'market', run: sold(cases.save) },
  'case/remove': { access: signedIn, run: sold(cases.remove) },
  'office/demands': { access: administrator, run: sold(officeList) },
  'office/dispute': { access: administrator, run: sold(decide) },
}

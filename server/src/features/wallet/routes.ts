import type { walletCalls, walletOfficeCalls } from '@neuroloom/contract/membership/wallet'
import { administrator, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { sold } from '../payments/access.ts'
import * as records from './records.ts'
import * as reviews from './review.ts'
import { statement } from './statement-file.ts'
import * as withdrawing from './withdraw.ts'

type Calls = typeof walletCalls & typeof walletOfficeCalls

export const rows: Rows<keyof Calls> = {
  'wallet/balance': { access: signedIn, run: sold(records.balance) },
  'wallet/records': { access: signedIn, run: sold(records.list) },
  'wallet/withdrawal': { access: signedIn, run: sold(withdrawing.one) },
  'wallet/withdraw': { access: signedIn, run: sold(withdrawing.withdraw) },
  'wallet/statement': { access: signedIn, run: sold(statement) },
  'office/withdrawals': { access: administrator, run: sold(reviews.list) },
  'office/withdrawal': { access: administrator, run: sold(reviews.decide) },
}

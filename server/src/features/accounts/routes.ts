import type { accountCalls } from '@neuroloom/contract/accounts'
import { anyone, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { challenge } from './challenge.ts'
import { edit, info } from './profile.ts'
import { ticket } from './session.ts'
import { login, logout } from './sign-in.ts'

/** What the plans and the site answer: they stand to the right of accounts. */
type Elsewhere = 'user/size' | 'setting/public'

export const rows: Rows<Exclude<keyof typeof accountCalls, Elsewhere>> = {
  'user/challenge': { access: anyone, run: challenge },
  'user/login': { access: anyone, run: login },
  'user/logout': { access: signedIn, run: logout },
  'user/info': { access: signedIn, run: info },
  'user/edit': { access: signedIn, run: edit },
  'user/ticket': { access: signedIn, run: ticket, keepsSession: false },
}

import type { accountCalls } from '@neuroloom/contract/accounts'
import type { signUpCalls } from '@neuroloom/contract/sign-up'
import { anyone, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { challenge } from './challenge.ts'
import { mailCode, textCode } from './codes.ts'
import { edit, info } from './profile.ts'
import { ticket } from './session.ts'
import { login, logout } from './sign-in.ts'
import { forgetPassword, register } from './sign-up.ts'

/** What the plans and the site answer: they stand to the right of accounts. */
type Elsewhere = 'user/size' | 'setting/public'

export const rows: Rows<Exclude<keyof typeof accountCalls | keyof typeof signUpCalls, Elsewhere>> = {
  'user/challenge': { access: anyone, run: challenge },
  'user/login': { access: anyone, run: login },
  'user/smscode': { access: anyone, run: textCode },
  'user/mailcode': { access: anyone, run: mailCode },
  'user/register': { access: anyone, run: register },
  'user/forgetpwd': { access: anyone, run: forgetPassword },
  'user/logout': { access: signedIn, run: logout },
  'user/info': { access: signedIn, run: info },
  'user/edit': { access: signedIn, run: edit },
  'user/ticket': { access: signedIn, run: ticket, keepsSession: false },
}

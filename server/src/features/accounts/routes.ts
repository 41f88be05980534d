import type { accountCalls } from '@neuroloom/contract/accounts/accounts'
import type { memberImportCalls } from '@neuroloom/contract/accounts/member-import'
import type { memberCalls } from '@neuroloom/contract/accounts/members'
import type { partnerCalls } from '@neuroloom/contract/accounts/partners'
import type { secondFactorCalls } from '@neuroloom/contract/accounts/second-factor'
import type { signUpCalls } from '@neuroloom/contract/accounts/sign-up'
import type { FastifyInstance } from 'fastify'
import { administrator, anyone, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import type { Context } from '../../infra/context.ts'
import { cancel } from './cancel.ts'
import { addExportRoute, exportLink } from './export.ts'
import { history } from './history.ts'
import { memberRows } from './members/rows.ts'
import * as messageBox from './message-box.ts'
import { partnerRows } from './partners/rows.ts'
import { edit, info } from './profile.ts'
import { secondFactorRows } from './second-factor/rows.ts'
import { closing, stay } from './sign-in/closing.ts'
import { key } from './sign-in/link-key.ts'
import { changePassword } from './sign-in/own-password.ts'
import { ticket } from './sign-in/session.ts'
import { challenge, login, logout } from './sign-in/sign-in.ts'
import { signIns } from './sign-in/sign-ins.ts'
import { mailCode, textCode } from './sign-up/codes.ts'
import { forgetPassword, register } from './sign-up/sign-up.ts'

/** What the plans and the site answer: they stand to the right of accounts. */
type Elsewhere = 'user/size' | 'setting/public' | 'setting/contract'

export const rows: Rows<
  | Exclude<keyof typeof accountCalls | keyof typeof signUpCalls, Elsewhere>
  | keyof typeof memberCalls
  | keyof typeof memberImportCalls
  | keyof typeof secondFactorCalls
  | keyof typeof partnerCalls
> = {
  ...memberRows,
  ...secondFactorRows,
  ...partnerRows,
  'user/challenge': { access: anyone, run: challenge },
  'user/login': { access: anyone, run: login },
  'user/smscode': { access: anyone, run: textCode },
  'user/mailcode': { access: anyone, run: mailCode },
  'user/register': { access: anyone, run: register },
  'user/forgetpwd': { access: anyone, run: forgetPassword },
  'user/logout': { access: signedIn, run: logout, beforePassword: true },
  'user/info': { access: signedIn, run: info, beforePassword: true },
  'user/edit': { access: signedIn, run: edit },
  'user/ticket': { access: signedIn, run: ticket, keepsSession: false },
  'user/key': { access: administrator, run: key },
  'user/closing': { access: anyone, run: closing },
  'user/stay': { access: signedIn, run: stay, keepsSession: false, beforePassword: true },
  'user/password': { access: signedIn, run: changePassword, beforePassword: true },
  'user/history': { access: signedIn, run: history },
  'user/signins': { access: signedIn, run: signIns },
  'user/export': { access: signedIn, run: exportLink },
  'user/cancel': { access: signedIn, run: cancel },
  'notice/list': { access: signedIn, run: messageBox.list, keepsSession: false },
  'notice/read': { access: signedIn, run: messageBox.read },
}

/** The archive of everything that is a member's own; `parts` are what the features to the right add. */
export const raw = (app: FastifyInstance, ctx: Context): void => addExportRoute(app, ctx)

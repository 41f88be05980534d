import type { secondFactorCalls } from '@neuroloom/contract/accounts/second-factor'
import { anyone, signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import * as own from './own.ts'
import { secondStep } from './second-step.ts'

export const secondFactorRows: Rows<keyof typeof secondFactorCalls> = {
  'user/secondFactor': { access: anyone, run: secondStep },
  'user/secondFactorState': { access: signedIn, run: own.state, keepsSession: false },
  'user/secondFactorStart': { access: signedIn, run: own.start },
  'user/secondFactorConfirm': { access: signedIn, run: own.confirm },
  'user/secondFactorAgain': { access: signedIn, run: own.again },
  'user/secondFactorCodes': { access: signedIn, run: own.newCodes },
  'user/secondFactorOff': { access: signedIn, run: own.turnOff },
}

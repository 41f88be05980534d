import { type FormProblem, phoneProblem } from '@neuroloom/contract/accounts/form-rules'
import { callingCodeOf } from '../fields/calling-codes.ts'

export type LoginDraft = {
  mode: 'phone' | 'email'
  /** ISO region whose calling code stands before the number; '' = none chosen. */
  region: string
  phone: string
  email: string
  password: string
}

type Problems = Partial<Record<'phone' | 'email' | 'password', FormProblem>>

/** What an account is called is the server's to judge; here only what is plainly missing or mistyped. */
export function checkLogin({ mode, region, phone, email, password }: LoginDraft): Problems {
  const ofPhone = phoneProblem({ areaCode: callingCodeOf(region), number: phone })
  return {
    ...(mode === 'phone' && ofPhone ? { phone: ofPhone } : {}),
    ...(mode === 'email' && email.trim() === '' ? { email: 'enter_email' as const } : {}),
    ...(password === '' ? { password: 'enter_password' as const } : {}),
  }
}

/** Area code immediately followed by the number, or the e-mail address. */
export const accountOf = ({ mode, region, phone, email }: LoginDraft): string =>
  mode === 'phone' ? fullPhone(region, phone) : email.trim()

export const fullPhone = (region: string, phone: string): string => `+${callingCodeOf(region)}${phone.trim()}`

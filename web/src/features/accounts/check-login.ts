import { callingCodeOf } from './calling-codes.ts'

export type LoginDraft = {
  mode: 'phone' | 'email'
  /** ISO region whose calling code stands before the number; '' = none chosen. */
  region: string
  phone: string
  email: string
  password: string
}

export type LoginField = 'account' | 'password'
/** Locale keys below `accounts:login.problem`. */
export type LoginProblem = 'area' | 'phone' | 'phoneFormat' | 'email' | 'password'

/** Mainland numbers: 1, then 3–9, then nine more digits. */
const mainland = /^1[3-9]\d{9}$/

export function checkLogin(draft: LoginDraft): Partial<Record<LoginField, LoginProblem>> {
  const account = draft.mode === 'phone' ? checkPhone(draft) : checkEmail(draft)
  return {
    ...(account ? { account } : {}),
    ...(draft.password === '' ? { password: 'password' as const } : {}),
  }
}

/** Area code immediately followed by the number, or the e-mail address. */
export function accountOf({ mode, region, phone, email }: LoginDraft): string {
  return mode === 'phone' ? `+${callingCodeOf(region)}${phone.trim()}` : email.trim()
}

function checkPhone({ region, phone }: LoginDraft): LoginProblem | null {
  const number = phone.trim()
  if (region === '') return 'area'
  if (number === '') return 'phone'
  if (!/^\d+$/.test(number)) return 'phoneFormat'
  return callingCodeOf(region) === '86' && !mainland.test(number) ? 'phoneFormat' : null
}

const checkEmail = ({ email }: LoginDraft): LoginProblem | null => (email.trim() === '' ? 'email' : null)

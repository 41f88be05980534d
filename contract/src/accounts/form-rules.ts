/**
 * What may stand in the fields of accounts: one rule for the page and the server (specification, section 5). Each
 * rule answers null or the key of its message below `form` in the locale files. All are linear in the text's length.
 */
import { nickNameLength, password as passwordLimits } from '../limits.ts'

export type FormProblem =
  | 'required'
  | 'enter_area'
  | 'enter_phone'
  | 'phone_format'
  | 'enter_password'
  | 'password_rule'
  | 'password_no'
  | 'too_big'
  | 'passwords_differ'
  | 'password_same'
  | 'enter_email'
  | 'email_format'
  | 'enter_code'
  | 'code_format'
  | 'enter_number'
  | 'number_format'
  | 'name_hidden'
  | 'agree_first'
  | 'english_only'
  | 'enter_fax'
  | 'no_text_messages'
  | 'phone_fixed'

const mainland = /^1[3-9]\d{9}$/
/** ITU-T E.164: at most 15 digits with the area code. */
const E164_DIGITS = 15

/** A phone number without its area code; mainland numbers have a form of their own. */
export function phoneProblem({ areaCode, number }: { areaCode: string; number: string }): FormProblem | null {
  const digits = number.trim()
  if (areaCode === '') return 'enter_area'
  if (digits === '') return 'enter_phone'
  if (!/^\d+$/.test(digits) || areaCode.length + digits.length > E164_DIGITS) return 'phone_format'
  if (areaCode === '86') return mainland.test(digits) ? null : 'phone_format'
  return digits.length < 4 ? 'phone_format' : null
}

/** Text messages go to some countries only, as the operator says; elsewhere the code comes by e-mail. */
export const getsTexts = (phone: string, smsCountries: readonly string[]): boolean =>
  smsCountries.some((areaCode) => phone.trim().replace(/^\+/, '').startsWith(areaCode))

/** At least 8 characters of two kinds: letters, digits, symbols; no Chinese characters. */
export function passwordProblem(text: string): FormProblem | null {
  if (text === '') return 'enter_password'
  if (text.length > passwordLimits.maxLength) return 'too_big'
  if (hasChinese(text)) return 'password_no'
  const kinds = [/\p{L}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter((kind) => kind.test(text))
  return [...text].length < passwordLimits.minLength || kinds.length < 2 ? 'password_rule' : null
}

export const hasChinese = (text: string): boolean => /\p{Script=Han}/u.test(text)

/** One or several addresses, separated by semicolons. */
export function emailsProblem(text: string, { required }: { required: boolean }): FormProblem | null {
  if (text.trim() === '') return required ? 'enter_email' : null
  return text.split(';').every((one) => isEmail(one.trim())) ? null : 'email_format'
}

/**
 * Word characters with single dots and dashes between them, '@', a domain, and a suffix of two or more characters.
 * Parted by hand and not by one pattern, so that no text can make the check slow.
 */
export function isEmail(text: string): boolean {
  if (text.length > 254) return false
  const [name = '', domain = '', ...rest] = text.split('@')
  const suffix = domain.split('.').at(-1) ?? ''
  return (
    rest.length === 0 &&
    /^[\w.+-]+$/.test(name) &&
    name.split(/[.+-]/).every((part) => part !== '') &&
    domain.includes('.') &&
    domain.split('.').every((label) => /^[A-Za-z0-9-]+$/.test(label) && !/^-|-$/.test(label)) &&
    /^[A-Za-z0-9-]{2,}$/.test(suffix)
  )
}

export const documentTypes = ['card_number', 'passport', 'driver_license'] as const
export type DocumentType = (typeof documentTypes)[number]

/** An ID card has 15 digits, 18 digits, or 17 digits and an X. */
export function documentProblem(type: DocumentType, number: string): FormProblem | null {
  const text = number.trim()
  if (text === '') return 'enter_number'
  return type === 'card_number' && !/^(\d{15}|\d{17}[\dXx])$/.test(text) ? 'number_format' : null
}

export function nickNameProblem(text: string): FormProblem | null {
  if (text.trim() === '') return 'required'
  if (text.length > nickNameLength) return 'too_big'
  return hasHidden(text) ? 'name_hidden' : null
}

/** Characters that cannot be seen or that turn the text around would make one member look like another. */
export const hasHidden = (text: string): boolean => /[\p{Cc}\p{Cf}]/u.test(text)

/** The six digits of a message. */
export const codeProblem = (code: string): FormProblem | null =>
  code.trim() === '' ? 'enter_code' : /^\d{6}$/.test(code.trim()) ? null : 'code_format'

/** Only China's numbers have a known length, so only there a number alone tells where its area code ends. */
export function fullPhoneProblem(phone: string): FormProblem | null {
  const digits = phone.trim().replace(/^\+/, '')
  if (digits === '') return 'enter_phone'
  return digits.startsWith('86')
    ? phoneProblem({ areaCode: '86', number: digits.slice(2) })
    : phoneProblem({ areaCode: digits.slice(0, 1), number: digits.slice(1) })
}

/** A fax or a second number may be a landline, whose length is not that of a mobile phone, in China either. */
export function lineProblem(phone: string): FormProblem | null {
  const digits = phone.trim().replace(/^\+/, '')
  if (digits === '') return 'enter_phone'
  return phoneProblem({ areaCode: digits.slice(0, 1), number: digits.slice(1) })
}

/** A phone number or an e-mail address; whichever is not empty is what the account is called. */
type AccountFields = { phone: string; email: string }

const accountProblems = ({ phone, email }: AccountFields): Record<keyof AccountFields, FormProblem | null> =>
  phone === '' && email !== ''
    ? { phone: null, email: isEmail(email.trim()) ? null : 'email_format' }
    : { phone: fullPhoneProblem(phone), email: null }

export type ShortForm = AccountFields & {
  code: string
  nickName: string
  password: string
  agreement: boolean
}

/** Every field of the short form that breaks a rule, with its message key. */
export function shortFormProblems(form: ShortForm): Partial<Record<keyof ShortForm, FormProblem>> {
  return found({
    ...accountProblems(form),
    code: codeProblem(form.code),
    nickName: nickNameProblem(form.nickName),
    password: passwordProblem(form.password),
    agreement: form.agreement ? null : 'agree_first',
  })
}

export type ForgetForm = AccountFields & { code: string; password: string }

/** A forgotten password is renewed by a message to a mainland number, or by e-mail. */
export const forgetFormProblems = (form: ForgetForm): Partial<Record<keyof ForgetForm, FormProblem>> =>
  found({
    ...accountProblems(form),
    ...(form.phone === '' && form.email !== '' ? {} : { phone: mainlandProblem(form.phone) }),
    code: codeProblem(form.code),
    password: passwordProblem(form.password),
  })

function mainlandProblem(phone: string): FormProblem | null {
  const digits = phone.trim().replace(/^\+/, '')
  if (digits !== '' && !digits.startsWith('86')) return 'phone_format'
  return fullPhoneProblem(phone)
}

/** Without the fields that are right. */
const found = <Field extends string>(
  problems: Record<Field, FormProblem | null>,
): Partial<Record<Field, FormProblem>> => {
  const wrong = Object.entries(problems).filter(([, problem]) => problem !== null)
  // Keys and values come from `problems`, less the nulls.
  return Object.fromEntries(wrong) as Partial<Record<Field, FormProblem>>
}

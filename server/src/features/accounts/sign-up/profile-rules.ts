import type { FormProblem } from '@neuroloom/contract/accounts/form-rules'
import {
  isMasked,
  type MemberField,
  type MemberForm,
  masked,
  memberFields,
  memberProblem,
  requiredFields,
} from '@neuroloom/contract/accounts/member-rules'
import { fail, failFields } from '../../../http/fail.ts'
import { accountKey } from '../account.ts'
import type { GivenProfile } from '../member.ts'
import type { UserRow } from '../tables.ts'

type Problems = Record<string, FormProblem | 'invalid'>

/**
 * Refuses what breaks a rule of the member form. `form` is the stored profile with what was given in it. A visitor may
 * fill in a part and empty it again; what a member has to have, and a profile given whole, must be right in all fields.
 */
export function requireRight(user: UserRow, given: GivenProfile, form: MemberForm): void {
  const isWhole = requiredFields.every((field) => given[field] !== undefined)
  const asked = memberFields.filter((field) => isWhole || isTouched(field, given))
  const mustBeFull = isWhole || user.type === 1
  const problems: Problems = {}
  for (const field of asked) {
    if (form[field] === '' && !mustBeFull && field !== 'nickName') continue
    const problem = memberProblem(field, form, 'edit')
    if (problem === 'english_only') throw fail('english_only', { field })
    if (problem) problems[field] = problem
  }
  Object.assign(problems, formatProblems(given))
  if (given.phone !== undefined && user.phoneKey !== null && accountKey(given.phone).key !== user.phoneKey)
    problems.phone = 'phone_fixed'
  if (isMasked(form.cardNumber)) problems.cardNumber = 'number_format'
  refuse(problems)
}

/** What is chosen from lists that only the page has: codes of countries and areas, the name of a picture. */
export function requireCodes(given: GivenProfile): void {
  refuse(formatProblems(given))
}

/** The document number of a changed profile: a masked one stands for the stored one that it is the mask of. */
export function wholeCardNumber(given: string | undefined, stored: string): string {
  if (given === undefined) return stored
  return stored !== '' && given === masked(stored) ? stored : given
}

/** Given, or depending on what was given. */
const isTouched = (field: MemberField, given: GivenProfile): boolean =>
  [field, dependsOn[field]].some((one) => one !== undefined && given[one] !== undefined)

const dependsOn: Partial<Record<MemberField, MemberField>> = {
  cardNumber: 'cardType',
  firstContact: 'fax',
  area: 'currCountry',
}

function formatProblems(given: GivenProfile): Problems {
  const wrong = Object.entries(formats).filter(([field, isRight]) => {
    // Its keys are fields of a profile.
    const value = given[field as keyof typeof formats]
    return value !== undefined && value !== '' && !isRight(value)
  })
  return Object.fromEntries(wrong.map(([field]) => [field, 'invalid']))
}

const formats = {
  country: isCountry,
  currCountry: isCountry,
  /** Province, city and district. */
  area: (value: string) => /^(\d+|other)(\/(\d+|other)){0,2}$/.test(value),
  photo: (value: string) => /^[\w-]+$/.test(value),
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Two letters of ISO 3166, as far as this Node knows countries. */
function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && regions.of(code) !== undefined
}

function refuse(problems: Problems): void {
  const fields = Object.entries(problems).map(([field, problem]) => [field, `form.${problem}`] as const)
  if (fields.length > 0) throw failFields(Object.fromEntries(fields))
}

/** The member form: what must be filled in and how, for registration and for the profile (specification, section 5). */
import {
  type DocumentType,
  documentProblem,
  documentTypes,
  emailsProblem,
  type FormProblem,
  fullPhoneProblem,
  hasChinese,
  hasHidden,
  lineProblem,
  nickNameProblem,
} from './form-rules.ts'

/** Everything of the member form that is text, in the order in which the form shows it. */
export const memberFields = [
  'nickName',
  'job',
  'appellation',
  'name',
  'surname',
  'sex',
  'edu',
  'country',
  'cardType',
  'cardNumber',
  'phone',
  'email',
  'email1',
  'email2',
  'email3',
  'fax',
  'bakPhone',
  'bakPhoneUsage',
  'firstContact',
  'organ',
  'dept',
  'position',
  'title',
  'keyword',
  'currCountry',
  'area',
  'address',
  'postcode',
] as const
export type MemberField = (typeof memberFields)[number]
export type MemberForm = Record<MemberField, string>
/** As it arrives: what was not given is missing. */
export type GivenMemberForm = { [Field in MemberField]?: string | undefined }
export type MemberProblems = Partial<Record<MemberField, FormProblem>>

/** Without these a profile is not complete; the area is asked for in China alone. */
export const requiredFields = [
  'job',
  'appellation',
  'name',
  'surname',
  'sex',
  'country',
  'cardType',
  'firstContact',
  'organ',
  'dept',
  'currCountry',
  'address',
  'postcode',
] as const satisfies readonly MemberField[]

/** Where the area is chosen from a list, with labels in every language; so it may be stored in any. */
export const hasAreas = (country: string): boolean => country === 'CN'

/** Chosen, not written: no letters of the member's own. */
const chosen = ['job', 'sex', 'edu', 'country', 'cardType', 'firstContact', 'currCountry', 'area'] as const

const isChosen = (field: MemberField): boolean => (chosen as readonly string[]).includes(field)

/** What the second number is for is written in the member's own words, once there is a profile. */
const anyLanguage = { register: [], edit: ['bakPhoneUsage'] } as const satisfies Record<
  string,
  readonly MemberField[]
>
export type MemberOccasion = keyof typeof anyLanguage

/** Every field that breaks a rule, in the order of the form, each with its first problem. */
export function memberProblems(form: MemberForm, occasion: MemberOccasion): MemberProblems {
  const problems = memberFields.map((field) => [field, memberProblem(field, form, occasion)] as const)
  return Object.fromEntries(problems.filter(([, problem]) => problem !== null))
}

/** What is wrong with one field, or null. */
export function memberProblem(
  field: MemberField,
  form: MemberForm,
  occasion: MemberOccasion,
): FormProblem | null {
  const text = form[field]
  if ((requiredFields as readonly MemberField[]).includes(field) && text.trim() === '') return 'required'
  if (
    !isChosen(field) &&
    !(anyLanguage[occasion] as readonly MemberField[]).includes(field) &&
    hasChinese(text)
  )
    return 'english_only'
  if (!isChosen(field) && hasHidden(text)) return 'name_hidden'
  switch (field) {
    case 'nickName':
      return nickNameProblem(text)
    case 'cardNumber':
      return cardProblem(form)
    case 'phone':
      return fullPhoneProblem(text)
    case 'email':
      return emailsProblem(text, { required: true })
    case 'email1':
    case 'email2':
    case 'email3':
      return emailsProblem(text, { required: false })
    case 'fax':
    case 'bakPhone':
      return text === '' ? null : lineProblem(text)
    case 'firstContact':
      return text === 'fax' && form.fax === '' ? 'enter_fax' : null
    case 'area':
      return hasAreas(form.currCountry) && text === '' ? 'required' : null
    default:
      return null
  }
}

/** What is missing is empty. */
export function wholeForm(given: GivenMemberForm): MemberForm {
  const entries = memberFields.map((field) => [field, given[field] ?? ''])
  // One entry a field.
  return Object.fromEntries(entries) as MemberForm
}

/** A stored number comes back masked; sent again like that it means "as it was". */
export const isMasked = (cardNumber: string): boolean => cardNumber.includes('*')

/** All but the last four characters hidden; of a short one, all. */
export const masked = (cardNumber: string): string =>
  cardNumber
    .slice(cardNumber.length < 8 ? cardNumber.length : -4)
    .padStart(Math.max(cardNumber.length, 8), '*')

function cardProblem({ cardType, cardNumber }: MemberForm): FormProblem | null {
  const type = documentTypes.find((one) => one === cardType)
  if (isMasked(cardNumber)) return null
  if (type === undefined) return cardNumber.trim() === '' ? 'enter_number' : null
  return documentProblem(type satisfies DocumentType, cardNumber)
}

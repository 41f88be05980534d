import type { User } from '@neuroloom/contract/accounts/accounts'
import {
  documentTypes,
  type FormProblem,
  lineProblem,
  phoneProblem,
} from '@neuroloom/contract/accounts/form-rules'
import { contacts, educations, honorifics, sexes } from '@neuroloom/contract/accounts/member-options'
import {
  hasAreas,
  type MemberField,
  type MemberForm,
  type MemberOccasion,
  memberFields,
  memberProblems,
  wholeForm,
} from '@neuroloom/contract/accounts/member-rules'
import type { Body } from '@neuroloom/contract/calls'
import { callingCodeOf, splitPhone } from './fields/calling-codes.ts'

const phones = ['phone', 'fax', 'bakPhone'] as const
type PhoneName = (typeof phones)[number]

/** The member form as it is being filled in: numbers without their area codes, which stand beside them. */
export type MemberDraft = MemberForm & { age: string; photo: string } & Record<`${PhoneName}Region`, string>
export type MemberName = MemberField | 'age'

export const emptyMember: MemberDraft = {
  ...wholeForm({}),
  age: '',
  photo: '',
  phoneRegion: 'CN',
  faxRegion: 'CN',
  bakPhoneRegion: 'CN',
}

export function draftOf(user: User): MemberDraft {
  const home = user.currCountry || user.country
  const parts = (name: PhoneName) => {
    const { region, number } = splitPhone(user[name], home)
    return { [name]: number, [`${name}Region`]: region }
  }
  return {
    ...emptyMember,
    ...wholeForm(user),
    ...parts('phone'),
    ...parts('fax'),
    ...parts('bakPhone'),
    age: user.age === null ? '' : String(user.age),
    photo: user.photo,
  }
}

/** As the contract's rules and the calls want it. */
function formOf(draft: MemberDraft): MemberForm {
  const whole = (name: PhoneName) => {
    const number = draft[name].trim()
    return number === '' ? '' : `+${callingCodeOf(draft[`${name}Region`])}${number}`
  }
  const area = hasAreas(draft.currCountry) ? draft.area : ''
  return { ...wholeForm(draft), phone: whole('phone'), fax: whole('fax'), bakPhone: whole('bakPhone'), area }
}

/** In the order of the form. */
export function memberProblemsOf(
  draft: MemberDraft,
  occasion: MemberOccasion,
): Partial<Record<MemberName, FormProblem>> {
  const found = memberProblems(formOf(draft), occasion)
  const ofPhone = (name: PhoneName): FormProblem | null => {
    const number = draft[name].trim()
    const areaCode = callingCodeOf(draft[`${name}Region`])
    if (name === 'phone') return phoneProblem({ areaCode, number })
    if (number === '') return null
    return areaCode === '' ? 'enter_area' : lineProblem(areaCode + number)
  }
  const all = memberFields.flatMap((field): [MemberName, FormProblem | null | undefined][] => {
    const phone = phones.find((one) => one === field)
    const own: [MemberName, FormProblem | null | undefined] = [field, phone ? ofPhone(phone) : found[field]]
    return field === 'sex' ? [own, ['age', Number(draft.age) > 150 ? 'too_big' : null]] : [own]
  })
  return Object.fromEntries(all.filter(([, problem]) => problem))
}

/** What `user/edit` and `user/register` take. */
export function profileOf(draft: MemberDraft) {
  const form = formOf(draft)
  const trimmed = Object.fromEntries(Object.entries(form).map(([name, text]) => [name, text.trim()]))
  return {
    ...wholeForm(trimmed),
    job: oneOf(honorifics, form.job),
    sex: oneOf(sexes, form.sex),
    edu: oneOf(educations, form.edu),
    cardType: oneOf(documentTypes, form.cardType),
    firstContact: oneOf(contacts, form.firstContact),
    age: draft.age === '' ? null : Number(draft.age),
    photo: draft.photo,
  } satisfies Body<'user/edit'>
}

/** The first of several is the main one. */
export const mainEmail = (emails: string): string => emails.split(';')[0]?.trim() ?? ''

const oneOf = <Value extends string>(all: readonly Value[], text: string): Value | '' =>
  all.find((one) => one === text) ?? ''

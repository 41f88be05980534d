import type { User } from '@neuroloom/contract/accounts/accounts'
import { documentTypes } from '@neuroloom/contract/accounts/form-rules'
import { contacts, educations, honorifics, sexes } from '@neuroloom/contract/accounts/member-options'
import {
  hasAreas,
  isMasked,
  type MemberField,
  requiredFields,
} from '@neuroloom/contract/accounts/member-rules'
import { nickNameLength } from '@neuroloom/contract/limits'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MemberDraft, MemberName } from '../member-draft.ts'
import type { Form } from '../use-form.ts'
import { AreaField } from './area-field.tsx'
import { CountryField } from './country-field.tsx'
import styles from './member-fields.module.css'
import { OccupationField } from './occupation-field.tsx'
import { PhoneField } from './phone-field.tsx'
import { SelectField } from './select-field.tsx'
import { TagsField } from './tags-field.tsx'
import { TextField } from './text-field.tsx'

type MemberFieldsProps = {
  prefix: string
  form: Pick<Form<MemberDraft>, 'draft' | 'change' | 'leave' | 'problemOf'>
  /** What the account is called by; the other one is for contact alone. */
  account: User['account']
  /** Of an account that signs in by it, and that does not change it here. */
  fixedPhone?: string | null
  /** In the place of the photo, at the head of the form. */
  photo?: ReactNode
  /** After phone and e-mail: the code that proves one of them. */
  code?: ReactNode
}

/** Every field of the member form, for registration and for the profile. */
export function MemberFields({ prefix, form, account, fixedPhone = null, photo, code }: MemberFieldsProps) {
  const { t } = useTranslation('member')
  const section = (name: 'person' | 'contact' | 'work' | 'place', fields: ReactNode) => (
    <section className={styles.section} aria-labelledby={`${prefix}-${name}`}>
      <h2 id={`${prefix}-${name}`}>{t(`section.${name}`)}</h2>
      <div className={styles.grid}>{fields}</div>
    </section>
  )
  const parts = { prefix, form }
  return (
    <>
      {section(
        'person',
        <>
          {photo}
          <PersonFields {...parts} />
        </>,
      )}
      {section('contact', <ContactFields {...parts} account={account} fixedPhone={fixedPhone} code={code} />)}
      {section('work', <WorkFields {...parts} />)}
      {section('place', <PlaceFields {...parts} />)}
    </>
  )
}

type Parts = Pick<MemberFieldsProps, 'prefix' | 'form'>

/** What every kind of field is given. */
function useFields({ prefix, form }: Parts) {
  const { t } = useTranslation('member')
  const { draft, change, leave, problemOf } = form
  const base = (field: MemberName) => ({
    id: `${prefix}-${field}`,
    label: t(`field.${field}`),
    value: draft[field],
    problem: problemOf(field),
    onChange: (value: string) => change({ [field]: value }),
    onBlur: () => leave(field),
  })
  const isOptional = (field: MemberName) => !mustHave.has(field)
  return {
    base,
    text: (field: MemberName, more: { hint?: string; note?: string; autoComplete?: string } = {}) => (
      <TextField maxLength={200} {...base(field)} isOptional={isOptional(field)} {...more} />
    ),
    select: (field: MemberField, values: readonly string[], isDisabled = (_: string) => false) => (
      <SelectField
        {...base(field)}
        isOptional={isOptional(field)}
        options={values.map((value) => ({
          value,
          label: t(`${field}.${value}`),
          isDisabled: isDisabled(value),
        }))}
      />
    ),
    phone: (field: 'phone' | 'fax' | 'bakPhone', more: { note?: string } = {}) => (
      <PhoneField
        {...more}
        id={`${prefix}-${field}`}
        label={t(`field.${field}`)}
        region={draft[`${field}Region`]}
        phone={draft[field]}
        problem={problemOf(field)}
        isOptional={isOptional(field)}
        onChange={({ region, phone }) =>
          change({
            ...(region === undefined ? {} : { [`${field}Region`]: region }),
            ...(phone === undefined ? {} : { [field]: phone }),
          })
        }
        onBlur={() => leave(field)}
      />
    ),
  }
}

const mustHave: ReadonlySet<MemberName> = new Set([
  ...requiredFields,
  'nickName',
  'phone',
  'email',
  'cardNumber',
  'area',
])

function PersonFields({ prefix, form }: Parts) {
  const { t } = useTranslation('member')
  const { base, text, select } = useFields({ prefix, form })
  const { draft, change } = form
  return (
    <>
      <TextField {...base('nickName')} maxLength={nickNameLength} note={t('note.nickName')} />
      {select('job', honorifics)}
      {text('name', { autoComplete: 'given-name' })}
      {text('surname', { autoComplete: 'family-name' })}
      <OccupationField {...base('appellation')} />
      {select('sex', sexes)}
      <TextField
        {...base('age')}
        isOptional
        inputMode="numeric"
        maxLength={3}
        onChange={(age) => change({ age: age.replace(/\D/g, '') })}
      />
      {select('edu', educations)}
      <CountryField {...base('country')} />
      {select('cardType', documentTypes)}
      <TextField
        {...base('cardNumber')}
        maxLength={40}
        {...(isMasked(draft.cardNumber) ? { note: t('note.cardNumber') } : {})}
        onChange={(typed) =>
          // The stored number shows its last digits alone: typing begins a new one.
          change({
            cardNumber: isMasked(draft.cardNumber)
              ? typed.replace(draft.cardNumber, '').replace(/^.*\*/, '')
              : typed,
          })
        }
      />
    </>
  )
}

function ContactFields({
  prefix,
  form,
  account,
  fixedPhone,
  code,
}: Parts & Pick<MemberFieldsProps, 'account'> & { fixedPhone: string | null; code: ReactNode }) {
  const { t } = useTranslation('member')
  const { base, text, select, phone } = useFields({ prefix, form })
  const { draft } = form
  return (
    <>
      {fixedPhone === null ? (
        phone('phone', account === 'email' ? { note: t('note.phoneContact') } : {})
      ) : (
        <TextField {...base('phone')} value={fixedPhone} isFixed note={t('note.phone')} />
      )}
      {text('email', {
        hint: t('hint.emails'),
        autoComplete: 'email',
        ...(account === 'phone' ? { note: t('note.emailContact') } : {}),
        // Where a code is asked for, its own note says that one signs in by the address.
        ...(account === 'email' && !code ? { note: t('note.emailAccount') } : {}),
      })}
      {code}
      {text('email1')}
      {text('email2')}
      {text('email3')}
      {phone('fax')}
      {phone('bakPhone')}
      {text('bakPhoneUsage', { hint: t('hint.bakPhoneUsage') })}
      {select('firstContact', contacts, (way) => way === 'fax' && draft.fax.trim() === '')}
    </>
  )
}

function WorkFields({ prefix, form }: Parts) {
  const { base, text } = useFields({ prefix, form })
  return (
    <>
      {text('organ', { autoComplete: 'organization' })}
      {text('dept')}
      {text('position', { autoComplete: 'organization-title' })}
      <TagsField {...base('title')} />
      <TagsField {...base('keyword')} />
    </>
  )
}

function PlaceFields({ prefix, form }: Parts) {
  const { base, text } = useFields({ prefix, form })
  const { label: _, ...area } = base('area')
  return (
    <>
      <CountryField {...base('currCountry')} />
      {hasAreas(form.draft.currCountry) && (
        <div className={styles.wide}>
          <AreaField {...area} />
        </div>
      )}
      {text('address', { autoComplete: 'street-address' })}
      {text('postcode', { autoComplete: 'postal-code' })}
    </>
  )
}

import { shop as limits } from '@neuroloom/contract/limits'
import { feeOf } from '@neuroloom/contract/membership/money'
import type { About } from '@neuroloom/contract/shop/listing'
import { licences, modalities, organs } from '@neuroloom/contract/shop/words'
import { Input, InputNumber, Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFen } from '../../../lib/format-money.ts'
import styles from '../shop.module.css'

const FEN_A_YUAN = 100
const texts = [
  'name',
  'introduction',
  'features',
  'dataLicence',
  'intendedUse',
  'outOfScope',
  'population',
  'limitations',
] as const
type Words = (typeof texts)[number]
const lengths: Record<Words, number> = {
  name: limits.nameLength,
  introduction: limits.introductionLength,
  features: limits.textLength,
  dataLicence: limits.lineLength,
  intendedUse: limits.textLength,
  outOfScope: limits.textLength,
  population: limits.textLength,
  limitations: limits.textLength,
}

export type AboutDraft = Omit<About, 'organ' | 'modality'> & {
  organ: About['organ'] | null
  modality: About['modality'] | null
}

export const emptyAbout: AboutDraft = {
  ...{ name: '', introduction: '', features: '', dataLicence: '', intendedUse: '', outOfScope: '' },
  ...{ population: '', limitations: '', organ: null, modality: null, licence: 'single_use', priceYuan: 0 },
}

/** Null where something is still missing; what, `missingOf` says. */
export function aboutOf(draft: AboutDraft): About | null {
  const { organ, modality } = draft
  return organ && modality && missingOf(draft).length === 0 ? { ...draft, organ, modality } : null
}

export const missingOf = (draft: AboutDraft): string[] => [
  ...texts.filter((name) => draft[name].trim() === ''),
  ...(['organ', 'modality'] as const).filter((name) => draft[name] === null),
]

type Props = {
  draft: AboutDraft
  /** What is missing is said by then. */
  isAsked: boolean
  onChange: (draft: AboutDraft) => void
}

/** What a seller says of a model; everything else is taken from its training. */
export function AboutForm({ draft, isAsked, onChange }: Props) {
  const { t } = useTranslation('shop')
  const id = useId()
  const missing = new Set(isAsked ? missingOf(draft) : [])
  const problem = (name: string) =>
    missing.has(name) && (
      <p className={styles.problem} role="alert">
        {t(`form.missing.${name}`)}
      </p>
    )
  const line = (name: Words) => {
    const field = {
      id: `${id}-${name}`,
      maxLength: lengths[name],
      value: draft[name],
      'aria-describedby': `${id}-${name}-help`,
      onChange: ({ target }: { target: { value: string } }) => onChange({ ...draft, [name]: target.value }),
    }
    return (
      <div className={styles.field} key={name}>
        <label htmlFor={field.id}>{t(`about.${name}`)}</label>
        {name === 'name' || name === 'dataLicence' ? (
          <Input {...field} />
        ) : (
          <Input.TextArea {...field} autoSize={{ minRows: 2, maxRows: 8 }} />
        )}
        <p className={styles.help} id={`${id}-${name}-help`}>
          {t(`form.help.${name}`)}
        </p>
        {problem(name)}
      </div>
    )
  }
  const choice = <Name extends 'organ' | 'modality'>(name: Name, values: readonly string[]) => (
    <div className={styles.field}>
      <label htmlFor={`${id}-${name}`}>{t(`filter.${name}`)}</label>
      <Select
        id={`${id}-${name}`}
        showSearch={{ optionFilterProp: 'label' }}
        value={draft[name]}
        placeholder={t('form.choose')}
        options={values.map((value) => ({ value, label: t(`${name}.${value}`) }))}
        onChange={(value) => onChange({ ...draft, [name]: value })}
      />
      {problem(name)}
    </div>
  )
  const fen = draft.priceYuan * FEN_A_YUAN
  return (
    <div className={styles.form}>
      {line('name')}
      {line('introduction')}
      {line('features')}
      <div className={styles.pair}>
        {choice('organ', organs)}
        {choice('modality', modalities)}
      </div>
      <div className={styles.field}>
        <label htmlFor={`${id}-licence`}>{t('filter.licence')}</label>
        <Select
          id={`${id}-licence`}
          value={draft.licence}
          options={licences.map((value) => ({ value, label: t(`licence.${value}.name`) }))}
          onChange={(licence) => onChange({ ...draft, licence })}
        />
        <p className={styles.help}>{t(`licence.${draft.licence}.about`)}</p>
      </div>
      {line('dataLicence')}
      <div className={styles.field}>
        <label htmlFor={`${id}-price`}>{t('form.price')}</label>
        <InputNumber
          id={`${id}-price`}
          min={0}
          max={limits.mostYuan}
          precision={0}
          value={draft.priceYuan}
          onChange={(value) => onChange({ ...draft, priceYuan: value ?? 0 })}
        />
        <p className={styles.help}>
          {fen === 0
            ? t('form.freeHelp')
            : t('form.priceHelp', { share: formatFen(fen - feeOf(fen)), fee: formatFen(feeOf(fen)) })}
        </p>
      </div>
      {line('intendedUse')}
      {line('outOfScope')}
      {line('population')}
      {line('limitations')}
    </div>
  )
}

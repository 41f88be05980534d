import {
  fieldsOf,
  type InvoiceDraft,
  type InvoiceField,
  type InvoiceProblem,
  invoiceProblems,
  invoiceTypes,
} from '@neuroloom/contract/membership/invoice'
import { Input, Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './upgrade.module.css'

type InvoiceFieldsProps = {
  draft: InvoiceDraft
  /** What is missing is shown: the button was pressed. */
  isChecked: boolean
  onChange: (draft: InvoiceDraft) => void
}

/** None, for a person, or for an organisation; each field that is missing says so itself. */
export function InvoiceFields({ draft, isChecked, onChange }: InvoiceFieldsProps) {
  const { t } = useTranslation('membership')
  const { type } = draft
  const problems =
    type === 'none' || !isChecked ? {} : invoiceProblems({ ...draft, invoice: 1, invoiceType: type })
  return (
    <>
      <div className={styles.line}>
        <span id="invoice-type">{t('invoice.name')}</span>
        <Radio.Group
          aria-labelledby="invoice-type"
          value={type}
          onChange={({ target }) => onChange({ ...draft, type: target.value })}
          options={[
            { value: 'none', label: t('invoice.none') },
            { value: invoiceTypes.person, label: t('invoice.person') },
            { value: invoiceTypes.organisation, label: t('invoice.organisation') },
          ]}
        />
      </div>
      {type !== 'none' && (
        <div className={styles.fields}>
          {fieldsOf(type).map((field) => (
            <Field
              key={field}
              field={field}
              label={t(`invoice.field.${field === 'invoiceTitle' && type === 0 ? 'personTitle' : field}`)}
              text={draft[field]}
              problem={problems[field]}
              onText={(text) => onChange({ ...draft, [field]: text })}
            />
          ))}
        </div>
      )}
    </>
  )
}

type FieldProps = {
  field: InvoiceField
  label: string
  text: string
  problem: InvoiceProblem | undefined
  onText: (text: string) => void
}

function Field({ field, label, text, problem, onText }: FieldProps) {
  const { t } = useTranslation('membership')
  return (
    <div>
      <label htmlFor={field}>{label}</label>
      <Input
        id={field}
        value={text}
        autoComplete="off"
        {...(problem
          ? { status: 'error', 'aria-invalid': true, 'aria-describedby': `${field}-problem` }
          : {})}
        onChange={({ target }) => onText(target.value)}
      />
      {problem && (
        <p id={`${field}-problem`} role="alert" className={styles.problem}>
          {t(`invoice.problem.${problem}`)}
        </p>
      )}
    </div>
  )
}

import { names } from '@neuroloom/contract/limits'
import { Form, Input } from 'antd'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { firstField } from '../../ui/first-field.ts'

export type ProjectDraft = { name: string; description: string }
/** What is wrong with each field, as text. */
export type FieldProblems = { name?: string | undefined; description?: string | undefined }

/** A name is never empty; a description may be left out, but spaces alone are none. */
export function problemsOf({ name, description }: ProjectDraft, t: TFunction<'projects'>): FieldProblems {
  return {
    name: name.trim() === '' ? t('nameMissing') : undefined,
    description: description !== '' && description.trim() === '' ? t('descriptionBlank') : undefined,
  }
}

type FieldProps = {
  id: string
  value: string
  problem?: string | undefined
  onChange: (text: string) => void
}

type NameFieldProps = FieldProps & { label?: string; placeholder?: string }

export function NameField({ id, label, value, problem, placeholder, onChange }: NameFieldProps) {
  const { t } = useTranslation('projects')
  return (
    <Form.Item label={label ?? t('name')} htmlFor={id} validateStatus={problem ? 'error' : ''} help={problem}>
      <Input
        id={id}
        size="large"
        ref={firstField}
        maxLength={names.length}
        {...(placeholder ? { placeholder } : {})}
        value={value}
        // A suggested name goes with the first letter typed.
        onFocus={(event) => event.target.select()}
        onChange={(event) => onChange(event.target.value)}
      />
    </Form.Item>
  )
}

export function DescriptionField({ id, value, problem, onChange }: FieldProps) {
  const { t } = useTranslation('projects')
  return (
    <Form.Item label={t('description')} htmlFor={id} validateStatus={problem ? 'error' : ''} help={problem}>
      <Input.TextArea
        id={id}
        rows={3}
        maxLength={names.description}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Form.Item>
  )
}

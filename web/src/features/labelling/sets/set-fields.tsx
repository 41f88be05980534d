import { type ClassProblem, classProblem, marks } from '@neuroloom/contract/labelling/classes'
import { names } from '@neuroloom/contract/limits'
import { Checkbox, Input, Switch } from 'antd'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ClassFields } from './class-fields.tsx'
import type { Draft } from './draft.ts'
import styles from './sets.module.css'

type Lack = 'name' | 'description' | 'marks' | 'classes'

/** What is missing, and the first rule of classes that is broken. */
export function wrongIn(draft: Draft): { lacks: Lack[]; problem: ClassProblem | null } {
  const missing: Record<Lack, boolean> = {
    name: draft.name.trim() === '',
    description: draft.description.trim() === '',
    marks: draft.marks.length === 0,
    classes: draft.classes.some(({ name }) => name.trim() === ''),
  }
  // Object.keys forgets which keys the table has.
  const lacks = (Object.keys(missing) as Lack[]).filter((lack) => missing[lack])
  return { lacks, problem: lacks.includes('classes') ? null : classProblem(draft.classes) }
}

type SetFieldsProps = {
  draft: Draft
  /** What is wrong is told from then on. */
  isTried: boolean
  /** Below the description. */
  children?: ReactNode
  onChange: (change: Partial<Draft>) => void
}

/** Name, description, marks, classes and readers of a set, new or changed. */
export function SetFields({ draft, isTried, children, onChange }: SetFieldsProps) {
  const { t } = useTranslation('labelling')
  const [nameId, aboutId] = [useId(), useId()]
  const { lacks, problem } = wrongIn(draft)
  const told = (lack: Lack) => isTried && lacks.includes(lack) && <Missing text={t(`form.missing.${lack}`)} />
  return (
    <>
      <div>
        <label htmlFor={nameId}>{t('form.name')}</label>
        <Input
          id={nameId}
          value={draft.name}
          maxLength={names.length}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        {told('name')}
      </div>
      <div>
        <label htmlFor={aboutId}>{t('form.description')}</label>
        <Input.TextArea
          id={aboutId}
          autoSize={{ minRows: 2, maxRows: 6 }}
          maxLength={names.description}
          value={draft.description}
          onChange={({ target }) => onChange({ description: target.value })}
        />
        {told('description')}
      </div>
      {children}
      <MarkFields draft={draft} onChange={onChange} />
      {told('marks')}
      <ClassFields
        classes={draft.classes}
        problem={isTried ? problem : null}
        hasPixels={draft.marks.includes('pixels')}
        hasPoints={draft.marks.includes('points')}
        onChange={(classes) => onChange({ classes })}
      />
      {told('classes')}
      <div>
        <Toggle label={t('form.blind')} value={draft.blind} onChange={(blind) => onChange({ blind })} />
        <p className={styles.hint}>{t(draft.blind ? 'form.blindAbout' : 'form.openAbout')}</p>
      </div>
    </>
  )
}

export const Missing = ({ text }: { text: string }) => (
  <p className={styles.problem} role="alert">
    {text}
  </p>
)

function MarkFields({ draft, onChange }: Pick<SetFieldsProps, 'draft' | 'onChange'>) {
  const { t } = useTranslation('labelling')
  return (
    <fieldset className={styles.marks}>
      <legend>{t('form.marks')}</legend>
      {marks.map((mark) => (
        <Checkbox
          key={mark}
          checked={draft.marks.includes(mark)}
          onChange={({ target }) => {
            const others = draft.marks.filter((one) => one !== mark)
            onChange({ marks: target.checked ? [...others, mark] : others })
          }}
        >
          <span className={styles.mark}>
            {t(`mark.${mark}`)}
            <small>{t(`markAbout.${mark}`)}</small>
          </span>
        </Checkbox>
      ))}
      {draft.marks.includes('tags') && (
        <Toggle label={t('form.oneTag')} value={draft.oneTag} onChange={(oneTag) => onChange({ oneTag })} />
      )}
    </fieldset>
  )
}

type ToggleProps = { label: string; value: boolean; onChange: (value: boolean) => void }

function Toggle({ label, value, onChange }: ToggleProps) {
  const id = useId()
  return (
    <div className={styles.switch}>
      <Switch id={id} checked={value} onChange={onChange} />
      <label htmlFor={id}>{label}</label>
    </div>
  )
}

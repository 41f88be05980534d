import { ColumnWidthOutlined, FunctionOutlined, UndoOutlined } from '@ant-design/icons'
import type { ParamValue } from '@neuroloom/contract/network/document/document'
import { Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { useWords } from '../words.ts'
import { AxisValue, type SettingProps } from './axis-value.tsx'
import { Field, Tool } from './field.tsx'
import { TextValue } from './text-value.tsx'
import { writeTyped } from './typed-value.ts'
import { nextTurn } from './use-draft.ts'

/** One setting of a layer, with the control that its kind asks for. */
export function SettingField(props: SettingProps) {
  const { spec, value, isMixed = false } = props
  const isFormula = typeof value === 'string' && value.startsWith('=')
  if (spec.kind === 'bool' && !isFormula && !isMixed) return <SwitchSetting {...props} />
  if ((spec.kind === 'enum' || spec.kind === 'bool') && !isFormula) return <ChoiceSetting {...props} />
  if (spec.kind === 'axis' && Array.isArray(value) && !isMixed) {
    return <AxisValue {...props} value={value} tools={<Tools {...props} />} />
  }
  return <TextSetting {...props} />
}

function TextSetting(props: SettingProps) {
  const { spec, value, worked, isMixed = false, isReadOnly, check, onChange } = props
  const { t } = useTranslation('dripe-panels')
  const named = useLabel(props)
  const standard =
    worked === undefined || spec.default !== 'auto' ? writeTyped(spec.default) : writeTyped(worked)
  const placeholder = spec.default === 'auto' ? t('field.auto', { value: standard }) : standard
  return (
    <TextValue
      {...named}
      kind={spec.kind}
      hasAuto={spec.hasAuto}
      value={isMixed ? undefined : value}
      placeholder={isMixed ? t('field.mixed') : placeholder}
      tools={<Tools {...props} />}
      isReadOnly={isReadOnly}
      check={check}
      onChange={onChange}
    />
  )
}

function SwitchSetting(props: SettingProps) {
  const { spec, value, isReadOnly, onChange } = props
  return (
    <Field {...useLabel(props)} tools={<Tools {...props} />}>
      {(ids) => (
        <Switch
          {...ids}
          size="small"
          checked={(value ?? spec.default) === true}
          disabled={isReadOnly}
          onChange={(checked) => onChange(checked === spec.default ? undefined : checked, nextTurn())}
        />
      )}
    </Field>
  )
}

function ChoiceSetting(props: SettingProps) {
  const { spec, value, isMixed = false, isReadOnly, onChange } = props
  const { t } = useTranslation('dripe-panels')
  const words = useWords()
  const isFlag = spec.kind === 'bool'
  const options = isFlag
    ? [
        { value: 'true', label: t('field.on') },
        { value: 'false', label: t('field.off') },
      ]
    : spec.choices.map((choice) => ({ value: choice, label: words.choice(choice) }))
  const handleChange = (chosen: string) => {
    const next = isFlag ? chosen === 'true' : chosen
    onChange(next === spec.default ? undefined : next, nextTurn())
  }
  return (
    <Field {...useLabel(props)} tools={<Tools {...props} />}>
      {(ids) => (
        <Select
          {...ids}
          size="small"
          options={options}
          value={isMixed ? null : String(value ?? spec.default)}
          placeholder={t('field.mixed')}
          disabled={isReadOnly}
          onChange={handleChange}
        />
      )}
    </Field>
  )
}

/** Back to the default; a formula in place of a switch; one number an axis. */
function Tools({ spec, value, rank, isReadOnly, onChange }: SettingProps) {
  const { t } = useTranslation('dripe-panels')
  if (isReadOnly) return null
  const isFormula = typeof value === 'string' && value.startsWith('=')
  const hasAxes = spec.kind === 'axis' && rank > 1
  const number = typeof value === 'number' ? value : typeof spec.default === 'number' ? spec.default : 1
  return (
    <>
      {(spec.kind === 'bool' || spec.kind === 'enum') && !isFormula ? (
        <Tool
          label={t('field.formula')}
          icon={<FunctionOutlined aria-hidden />}
          onClick={() => onChange(formulaOf(value ?? spec.default), nextTurn())}
        />
      ) : null}
      {hasAxes && !isFormula ? (
        <Tool
          label={Array.isArray(value) ? t('field.sameOnAxes') : t('field.perAxis')}
          icon={<ColumnWidthOutlined aria-hidden />}
          isPressed={Array.isArray(value)}
          onClick={() =>
            onChange(Array.isArray(value) ? value[0] : new Array<number>(rank).fill(number), nextTurn())
          }
        />
      ) : null}
      {value === undefined ? null : (
        <Tool
          label={t('field.reset', { value: writeTyped(spec.default) })}
          icon={<UndoOutlined aria-hidden />}
          onClick={() => onChange(undefined, nextTurn())}
        />
      )}
    </>
  )
}

/** Where a formula begins: with the value as it is now. */
function formulaOf(value: ParamValue): string {
  return typeof value === 'string' ? `='${value}'` : `=${writeTyped(value)}`
}

function useLabel({ spec, op }: Pick<SettingProps, 'spec' | 'op'>): { label: string; help: string } {
  const words = useWords()
  return { label: words.setting(op, spec.name, spec.title), help: words.settingHelp(op, spec.name) }
}

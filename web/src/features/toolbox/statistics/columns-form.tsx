import { toolbox as limits } from '@neuroloom/contract/limits'
import { Input, Segmented, Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { hasPairing, isYesNo, type Role, rolesOf, type Settings } from './settings.ts'
import styles from './statistics.module.css'
import { inOrder, likelyYes, numberOf, type Table, valuesOf } from './table.ts'

type ColumnsFormProps = { table: Table; settings: Settings; onChange: (settings: Settings) => void }

/** Which column is what, and which value says "ill". */
export function ColumnsForm({ table, settings, onChange }: ColumnsFormProps) {
  const { t } = useTranslation('statistics')
  const { analysis, pairing, columns, yes } = settings
  const choose = (role: Role, column: string) => {
    const said = isYesNo(analysis, role) ? likelyYes(valuesOf(table, column)) : undefined
    onChange({
      ...settings,
      columns: { ...columns, [role]: column },
      yes: said === undefined ? yes : { ...yes, [role]: said },
    })
  }
  return (
    <div className={styles.form}>
      {hasPairing(analysis) && (
        <div className={styles.field}>
          <span>{t(`pairing.${analysis}`)}</span>
          <Segmented<Settings['pairing']>
            aria-label={t(`pairing.${analysis}`)}
            value={pairing}
            options={[
              { value: 'same', label: t('pairing.same') },
              { value: 'groups', label: t('pairing.groups') },
            ]}
            onChange={(value) => onChange({ ...settings, pairing: value })}
          />
        </div>
      )}
      {rolesOf(settings).map((role) =>
        role === 'several' ? (
          <Several key={role} {...{ table, settings, onChange }} />
        ) : (
          <div key={role} className={styles.pair}>
            <Column
              label={t(`role.${analysis}.${role}`)}
              table={table}
              value={columns[role]}
              onChange={(column) => choose(role, column)}
            />
            {isYesNo(analysis, role) && columns[role] !== undefined && (
              <Yes
                label={t(role === 'truth' ? 'yes.ill' : 'yes.positive')}
                values={valuesOf(table, columns[role])}
                value={yes[role]}
                onChange={(value) => onChange({ ...settings, yes: { ...yes, [role]: value } })}
              />
            )}
          </div>
        ),
      )}
      <Column
        label={t('role.patient')}
        hint={t('role.patientHint')}
        table={table}
        value={settings.patient}
        onChange={(patient) => onChange({ ...settings, patient })}
        onClear={() => onChange({ ...settings, patient: undefined })}
      />
    </div>
  )
}

type ColumnProps = {
  label: string
  hint?: string
  table: Table
  value: string | undefined
  onChange: (column: string) => void
  onClear?: () => void
}

function Column({ label, hint, table, value, onChange, onClear }: ColumnProps) {
  const { t } = useTranslation('statistics')
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        showSearch
        allowClear={onClear !== undefined}
        placeholder={hint ?? t('chooseColumn')}
        value={value ?? null}
        options={table.names.map((name) => ({ value: name, label: name }))}
        onChange={(column: string | undefined) => (column === undefined ? onClear?.() : onChange(column))}
      />
    </div>
  )
}

type YesProps = {
  label: string
  values: readonly string[]
  value: string | undefined
  onChange: (value: string) => void
}

function Yes({ label, values, value, onChange }: YesProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        showSearch
        value={value ?? null}
        options={values.slice(0, limits.values).map((one) => ({ value: one, label: one }))}
        onChange={onChange}
      />
    </div>
  )
}

function Several({ table, settings, onChange }: ColumnsFormProps) {
  const { t } = useTranslation('statistics')
  const [id, weightsId, orderId] = [useId(), useId(), useId()]
  const { analysis, several, weights, order } = settings
  const categories = inOrder([...new Set(several.flatMap((name) => valuesOf(table, name)))])
  const isInWords = categories.some((one) => numberOf(one) === null)
  return (
    <>
      <div className={styles.field}>
        <label htmlFor={id}>{t(`role.${analysis}.several`)}</label>
        <Select<string[]>
          id={id}
          mode="multiple"
          placeholder={t('chooseColumns')}
          value={several}
          options={table.names.map((name) => ({ value: name, label: name }))}
          onChange={(names) => onChange({ ...settings, several: names })}
        />
      </div>
      {analysis === 'kappa' && several.length === 2 && (
        <div className={styles.field}>
          <label htmlFor={weightsId}>{t('weights.label')}</label>
          <Select<Settings['weights']>
            id={weightsId}
            value={weights}
            options={(['none', 'linear', 'quadratic'] as const).map((value) => ({
              value,
              label: t(`weights.${value}`),
            }))}
            onChange={(value) => onChange({ ...settings, weights: value })}
          />
        </div>
      )}
      {analysis === 'kappa' && several.length === 2 && weights !== 'none' && isInWords && (
        <div className={styles.field}>
          <label htmlFor={orderId}>{t('order')}</label>
          <Input
            id={orderId}
            key={categories.join()}
            defaultValue={(order.length > 0 ? order : categories).join(', ')}
            onChange={(event) =>
              onChange({
                ...settings,
                order: event.target.value
                  .split(',')
                  .map((one) => one.trim())
                  .filter(Boolean),
              })
            }
          />
        </div>
      )}
    </>
  )
}

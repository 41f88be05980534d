import type { ConversionFormat, ConversionOptions } from '@neuroloom/contract/conversions'
import { Checkbox, Radio, Select, Slider } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../ui/number-field.tsx'
import styles from './convert.module.css'
import type { factsOf } from './formats.ts'

/** In Hounsfield units, as radiologists set them. */
const windows = {
  brain: { center: 40, width: 80 },
  soft: { center: 40, width: 400 },
  lung: { center: -600, width: 1500 },
  bone: { center: 400, width: 1800 },
} as const
type WindowName = 'own' | 'custom' | keyof typeof windows
const windowNames: WindowName[] = ['own', 'brain', 'soft', 'lung', 'bone', 'custom']

/** As the form has them; `optionsFor` makes of it what is sent. */
export type Options = {
  joinSeries: boolean
  depth: ConversionOptions['depth']
  window: WindowName
  custom: { center: number; width: number }
  quality: number
}
export const defaults: Options = {
  joinSeries: true,
  depth: 'eight',
  window: 'own',
  custom: windows.soft,
  quality: 92,
}

type Facts = ReturnType<typeof factsOf>
type Needs = { join: boolean; depth: boolean; window: boolean; quality: boolean }

/** Settings that would change nothing are not asked for. */
function needsOf(format: ConversionFormat, { isSeries, isPlain }: Facts, { depth }: Options): Needs {
  const isDeep = format === 'png' && depth === 'sixteen'
  return {
    join: isSeries,
    depth: format === 'png' && !isPlain,
    window: (format === 'png' || format === 'jpeg') && !isPlain && !isDeep,
    quality: format === 'jpeg',
  }
}

export function optionsFor(format: ConversionFormat, options: Options, facts: Facts): ConversionOptions {
  const needs = needsOf(format, facts, options)
  const { joinSeries, depth, quality } = options
  return {
    joinSeries,
    window: needs.window ? windowOf(options) : null,
    depth: needs.depth ? depth : 'eight',
    quality,
  }
}

function windowOf({ window, custom }: Options): ConversionOptions['window'] {
  if (window === 'own') return null
  return window === 'custom' ? custom : windows[window]
}

type ConvertOptionsProps = {
  format: ConversionFormat
  facts: Facts
  options: Options
  onChange: (options: Options) => void
}

/** The settings that matter for this format and these sources. */
export function ConvertOptions({ format, facts, options, onChange }: ConvertOptionsProps) {
  const { t } = useTranslation('conversions')
  const needs = needsOf(format, facts, options)
  const change = (part: Partial<Options>): void => onChange({ ...options, ...part })
  if (!Object.values(needs).includes(true)) return null
  return (
    <section className={styles.options} aria-label={t('start.options')}>
      {needs.join && (
        <div>
          <Checkbox
            checked={options.joinSeries}
            onChange={({ target }) => change({ joinSeries: target.checked })}
          >
            {t('option.join')}
          </Checkbox>
          {!options.joinSeries && <p className={styles.soft}>{t('option.joinHint')}</p>}
        </div>
      )}
      {needs.depth && (
        <div>
          <strong>{t('option.depth')}</strong>
          <Radio.Group
            aria-label={t('option.depth')}
            className={styles.radios ?? ''}
            value={options.depth}
            onChange={({ target }) => change({ depth: target.value })}
            options={(['eight', 'sixteen'] as const).map((value) => ({ value, label: t(`option.${value}`) }))}
          />
        </div>
      )}
      {needs.window && <Brightness options={options} change={change} />}
      {needs.quality && <Quality quality={options.quality} change={change} />}
    </section>
  )
}

type PartProps = { change: (part: Partial<Options>) => void }

function Brightness({ options: { window, custom }, change }: PartProps & { options: Options }) {
  const { t } = useTranslation('conversions')
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>
        <strong>{t('option.window')}</strong>
      </label>
      <Select<WindowName>
        id={id}
        className={styles.select ?? ''}
        value={window}
        onChange={(value) => change({ window: value })}
        options={windowNames.map((value) => ({ value, label: t(`option.${value}`) }))}
      />
      {window === 'custom' && (
        <div className={styles.numbers}>
          <Field
            label={t('option.center')}
            value={custom.center}
            onChange={(center) => change({ custom: { ...custom, center } })}
          />
          <Field
            label={t('option.width')}
            value={custom.width}
            min={1}
            onChange={(width) => change({ custom: { ...custom, width } })}
          />
        </div>
      )}
      {window !== 'own' && <p className={styles.soft}>{t('option.windowHint')}</p>}
    </div>
  )
}

type FieldProps = { label: string; value: number; min?: number; onChange: (value: number) => void }

function Field({ label, value, min, onChange }: FieldProps) {
  const id = useId()
  return (
    <span className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <NumberField
        id={id}
        value={value}
        {...(min === undefined ? {} : { min })}
        onChange={(next) => next !== null && onChange(next)}
      />
    </span>
  )
}

function Quality({ quality, change }: PartProps & { quality: number }) {
  const { t } = useTranslation('conversions')
  return (
    <div>
      <strong>{t('option.quality')}</strong>
      <Slider
        min={50}
        max={100}
        value={quality}
        onChange={(value) => change({ quality: value })}
        ariaLabelForHandle={t('option.quality')}
      />
      <p className={styles.soft}>{t('option.qualityHint')}</p>
    </div>
  )
}

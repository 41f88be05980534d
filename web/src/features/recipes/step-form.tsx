import { fieldsOf, parameterOf, type StepField } from '@neuroloom/contract/recipes/fields'
import type { Step } from '@neuroloom/contract/recipes/recipe'
import { Button, Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../ui/number-field.tsx'
import { FURTHER, UNMARKED } from './mask-colours.ts'
import { NewNumbers } from './new-numbers.tsx'
import styles from './recipes.module.css'
import { changed, type Sizes } from './steps.ts'

type Props = { step: Step; colours: string[]; sizes: Sizes; onChange: (step: Step) => void }

/** The parameters of one step, with their units. */
export function StepForm({ step, colours, sizes, onChange }: Props) {
  const fields = fieldsOf(step)
  if (fields.length === 0) return null
  return (
    <div className={styles.fields}>
      {fields.map((field) => (
        <Parameter key={field.key} field={field} step={step} onChange={onChange} />
      ))}
      {step.do === 'size' && <SizesOffered step={step} sizes={sizes} onChange={onChange} />}
      {step.do === 'remap' && <NewNumbers step={step} onChange={onChange} />}
      {step.do === 'index' && <Colours step={step} colours={colours} onChange={onChange} />}
    </div>
  )
}

function Parameter({ field, step, onChange }: { field: StepField } & Pick<Props, 'step' | 'onChange'>) {
  const { t } = useTranslation('recipes')
  const id = useId()
  const value = parameterOf(step, field.key)
  return (
    <div className={styles.field} data-wide={field.kind === 'choice' || undefined}>
      <label htmlFor={id}>{t(`field.${field.key}`)}</label>
      {field.kind === 'choice' ? (
        <Select
          id={id}
          value={value}
          options={field.values.map((one) => ({ value: one, label: t(`choice.${step.do}.${one}`) }))}
          onChange={(next) => onChange(changed(step, field.key, next))}
        />
      ) : (
        <NumberField
          id={id}
          className={styles.number ?? ''}
          value={typeof value === 'number' ? value : null}
          min={field.min}
          max={field.max}
          step={field.by ?? 1}
          suffix={field.unit ? t(`unit.${field.unit}`) : undefined}
          onChange={(next) => next !== null && onChange(changed(step, field.key, next))}
        />
      )}
    </div>
  )
}

type SizeProps = { step: Step; sizes: Sizes; onChange: (step: Step) => void }

/** Those of the folder itself, at one press. */
function SizesOffered({ step, sizes, onChange }: SizeProps) {
  const { t } = useTranslation('recipes')
  const take = ({ width, height }: { width: number; height: number }) =>
    onChange(changed(changed(step, 'width', width), 'height', height))
  return (
    <div className={styles.sizes}>
      {(['usual', 'largest'] as const).map((which) => {
        const size = sizes[which]
        return size === null ? null : (
          <Button key={which} size="small" onClick={() => take(size)}>
            {t(`sizes.${which}`, { width: size.width, height: size.height })}
          </Button>
        )
      })}
    </div>
  )
}

type Index = Extract<Step, { do: 'index' }>

/** Which number each colour becomes; the colours of the masks that were looked at can be taken over at once. */
function Colours({
  step,
  colours,
  onChange,
}: {
  step: Index
  colours: string[]
  onChange: (step: Step) => void
}) {
  const { t } = useTranslation('recipes')
  const put = (list: Index['colours']) => onChange(changed(step, 'colours', list))
  const takeOver = () =>
    // Black is nearly always what nothing was marked with.
    put(
      [...colours]
        .sort((one, other) => Number(other === UNMARKED) - Number(one === UNMARKED))
        .map((colour, index) => ({ colour, value: colours.includes(UNMARKED) ? index : index + 1 })),
    )
  return (
    <div className={styles.colours}>
      {step.colours.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
        <div key={index} className={styles.colour}>
          <input
            type="color"
            value={one.colour}
            aria-label={t('colours.colour', { number: index + 1 })}
            onChange={({ target }) =>
              put(step.colours.map((old, at) => (at === index ? { ...old, colour: target.value } : old)))
            }
          />
          <NumberField
            value={one.value}
            min={0}
            max={255}
            precision={0}
            aria-label={t('colours.value', { colour: one.colour })}
            onChange={(value) =>
              value !== null && put(step.colours.map((old, at) => (at === index ? { ...old, value } : old)))
            }
          />
          {step.colours.length > 1 && (
            <Button
              type="text"
              size="small"
              onClick={() => put(step.colours.filter((_, at) => at !== index))}
            >
              {t('colours.remove')}
            </Button>
          )}
        </div>
      ))}
      <div className={styles.row}>
        <Button
          size="small"
          onClick={() => put([...step.colours, { colour: FURTHER, value: step.colours.length + 1 }])}
        >
          {t('colours.add')}
        </Button>
        {colours.length > 0 && (
          <Button size="small" onClick={takeOver}>
            {t('colours.found', { count: colours.length })}
          </Button>
        )}
      </div>
    </div>
  )
}

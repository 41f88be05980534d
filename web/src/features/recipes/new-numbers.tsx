import { masks as limits } from '@neuroloom/contract/limits'
import type { Step } from '@neuroloom/contract/recipes/recipe'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../ui/number-field.tsx'
import styles from './recipes.module.css'
import { changed } from './steps.ts'

type Remap = Extract<Step, { do: 'remap' }>
type Pair = Remap['map'][number]

/** Which number of a mask becomes which. */
export function NewNumbers({ step, onChange }: { step: Remap; onChange: (step: Step) => void }) {
  const { t } = useTranslation('recipes')
  const put = (map: Pair[]) => onChange(changed(step, 'map', map))
  const change = (index: number, key: keyof Pair) => (value: number | null) =>
    value !== null && put(step.map.map((pair, at) => (at === index ? { ...pair, [key]: value } : pair)))
  return (
    <div className={styles.colours}>
      {step.map.map((pair, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
        <div key={index} className={styles.colour}>
          {(['from', 'to'] as const).map((key) => (
            <NumberField
              key={key}
              value={pair[key]}
              min={0}
              max={limits.number}
              precision={0}
              prefix={t(`numbers.${key}`)}
              aria-label={t(`numbers.${key}Of`, { number: index + 1 })}
              onChange={change(index, key)}
            />
          ))}
          <Button
            type="text"
            size="small"
            disabled={step.map.length === 1}
            onClick={() => put(step.map.filter((_, at) => at !== index))}
          >
            {t('colours.remove')}
          </Button>
        </div>
      ))}
      <Button
        size="small"
        disabled={step.map.length >= limits.values}
        onClick={() => put([...step.map, { from: 0, to: 0 }])}
      >
        {t('numbers.add')}
      </Button>
    </div>
  )
}

import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, HolderOutlined } from '@ant-design/icons'
import type { Recipe, Step } from '@neuroloom/contract/recipes/recipe'
import { Button } from 'antd'
import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './recipes.module.css'
import { StepForm } from './step-form.tsx'
import { moved, type Sizes } from './steps.ts'

type Props = { recipe: Recipe; colours: string[]; sizes: Sizes; onChange: (recipe: Recipe) => void }

/** The steps in their order: dragged, or moved by Alt and the arrow keys. */
export function StepList({ recipe, colours, sizes, onChange }: Props) {
  const { t } = useTranslation('recipes')
  const [dragged, setDragged] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  const { steps } = recipe
  const move = (from: number, to: number) => {
    const next = moved(recipe, from, to)
    if (next === recipe) return
    const step = steps[from]
    if (step) setSaid(t('steps.moved', { name: t(`step.${step.do}.name`), place: to + 1, of: steps.length }))
    onChange(next)
  }
  const put = (index: number, step: Step) =>
    onChange({ ...recipe, steps: steps.map((one, at) => (at === index ? step : one)) })
  const handleKey = (index: number) => (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move(index, index + (event.key === 'ArrowUp' ? -1 : 1))
  }
  const handleDrop = (index: number) => (event: DragEvent) => {
    event.preventDefault()
    if (dragged !== null) move(dragged, index)
    setDragged(null)
  }
  if (steps.length === 0) return <p className={styles.soft}>{t('steps.none')}</p>
  return (
    <>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li
            // Steps have no identity of their own; their forms keep nothing.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={index}
            className={styles.step}
            data-dragged={dragged === index || undefined}
            onKeyDown={handleKey(index)}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={handleDrop(index)}
          >
            <div className={styles.stepHead}>
              <span
                className={styles.handle}
                draggable
                onDragStart={() => setDragged(index)}
                onDragEnd={() => setDragged(null)}
                aria-hidden
              >
                <HolderOutlined />
              </span>
              <strong>{t(`step.${step.do}.name`)}</strong>
              <span className={styles.stepTools}>
                <Button
                  type="text"
                  size="small"
                  disabled={moved(recipe, index, index - 1) === recipe}
                  icon={<ArrowUpOutlined aria-hidden />}
                  aria-label={t('steps.up', { name: t(`step.${step.do}.name`) })}
                  onClick={() => move(index, index - 1)}
                />
                <Button
                  type="text"
                  size="small"
                  disabled={moved(recipe, index, index + 1) === recipe}
                  icon={<ArrowDownOutlined aria-hidden />}
                  aria-label={t('steps.down', { name: t(`step.${step.do}.name`) })}
                  onClick={() => move(index, index + 1)}
                />
                <Button
                  type="text"
                  size="small"
                  icon={<DeleteOutlined aria-hidden />}
                  aria-label={t('steps.remove', { name: t(`step.${step.do}.name`) })}
                  onClick={() => onChange({ ...recipe, steps: steps.filter((_, at) => at !== index) })}
                />
              </span>
            </div>
            <p className={styles.soft}>{t(`step.${step.do}.text`)}</p>
            <StepForm step={step} colours={colours} sizes={sizes} onChange={(next) => put(index, next)} />
          </li>
        ))}
      </ol>
      <span role="status" className={styles.unseen}>
        {said}
      </span>
    </>
  )
}

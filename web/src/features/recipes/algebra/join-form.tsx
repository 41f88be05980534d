import { recipes as limits } from '@neuroloom/contract/limits'
import { type AlgebraPreview, type Algebra as AlgebraWork, joins } from '@neuroloom/contract/recipes/algebra'
import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import { Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/page.tsx'
import { AddStep } from '../add-step.tsx'
import shared from '../recipes.module.css'
import { StepList } from '../step-list.tsx'
import { added } from '../steps.ts'
import styles from './algebra.module.css'
import type { ChosenFolder } from './chosen.ts'

export type JoinChoice = Pick<AlgebraWork, 'join' | 'classes'>
type JoinFormProps = {
  folders: readonly ChosenFolder[]
  seen: AlgebraPreview
  choice: JoinChoice
  recipe: Recipe
  onChoice: (choice: JoinChoice) => void
  onRecipe: (recipe: Recipe) => void
}

const ofMasks = [{ key: 'masks', names: ['grow', 'fill', 'pieces', 'remap'] }] as const

/** How several become one, which classes count, and what is done with what came of it. */
export function JoinForm({ folders, seen, choice, recipe, onChoice, onRecipe }: JoinFormProps) {
  const { t } = useTranslation(['algebra', 'recipes'])
  const field = useId()
  const { join, classes } = choice
  const values = valuesOf(seen, classes)
  return (
    <Panel title={t('how')}>
      <div className={styles.stack}>
        {folders.length > 1 && (
          <div className={shared.field} data-wide>
            <label htmlFor={`${field}-join`}>{t('join')}</label>
            <Select
              id={`${field}-join`}
              value={join}
              options={joins.map((value) => ({ value, label: t(`joins.${value}.name`) }))}
              onChange={(next) => onChoice({ ...choice, join: next })}
            />
            <span className={shared.soft}>{t(`joins.${join}.text`, { name: folders[0]?.name ?? '' })}</span>
          </div>
        )}
        <div className={shared.field} data-wide>
          <label htmlFor={`${field}-classes`}>{t('classes')}</label>
          <Select<JoinChoice['classes']>
            id={`${field}-classes`}
            value={classes}
            options={[
              { value: 'each', label: t('each') },
              { value: 'any', label: t('any') },
              ...values.map((value) => ({ value, label: t('oneClass', { value }) })),
            ]}
            onChange={(next) => onChoice({ ...choice, classes: next })}
          />
          <span className={shared.soft}>
            {values.length === 0 ? t('noValues') : t('values', { values: values.join(', ') })}
          </span>
        </div>
        <div className={styles.then}>
          <h3>{t('then')}</h3>
          <AddStep
            groups={ofMasks}
            isFull={recipe.steps.length >= limits.steps}
            usual={null}
            onAdd={(step) => onRecipe(added(recipe, step))}
          />
        </div>
        {recipe.steps.length === 0 ? (
          <p className={shared.soft}>{t('noSteps')}</p>
        ) : (
          <StepList recipe={recipe} colours={[]} sizes={{ usual: null, largest: null }} onChange={onRecipe} />
        )}
      </div>
    </Panel>
  )
}

/** Those found in the samples, and the chosen one. */
function valuesOf({ samples }: AlgebraPreview, classes: JoinChoice['classes']): number[] {
  const found = new Set(samples.flatMap(({ values }) => values).filter((value) => value > 0))
  if (typeof classes === 'number') found.add(classes)
  return [...found].sort((one, other) => one - other)
}

import { PlusOutlined } from '@ant-design/icons'
import type { StepName } from '@neuroloom/contract/recipes/recipe'
import type { stepGroups } from '@neuroloom/contract/recipes/step-groups'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { newStep, type Usual } from './steps.ts'

type Group = { key: (typeof stepGroups)[number]['key']; names: readonly StepName[] }

type AddProps = {
  groups: readonly Group[]
  isFull: boolean
  hasTiles?: boolean
  usual: Usual
  onAdd: (step: NonNullable<ReturnType<typeof newStep>>) => void
}

/** All kinds of steps that are offered, each with a sensible beginning. */
export function AddStep({ groups, isFull, hasTiles = false, usual, onAdd }: AddProps) {
  const { t } = useTranslation('recipes')
  const items = groups.map(({ key, names }) => ({
    key,
    type: 'group' as const,
    label: t(`group.${key}`),
    children: names.map((name) => ({
      key: name,
      label: t(`step.${name}.name`),
      disabled: name === 'tiles' && hasTiles,
      onClick: () => {
        const step = newStep(name, usual)
        if (step) onAdd(step)
      },
    })),
  }))
  return (
    <Dropdown menu={{ items }} trigger={['click']} disabled={isFull}>
      <Button icon={<PlusOutlined aria-hidden />}>{t('steps.add')}</Button>
    </Dropdown>
  )
}

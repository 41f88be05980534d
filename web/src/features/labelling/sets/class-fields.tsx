import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import {
  type ClassProblem,
  classUses,
  type LabelClass,
  sameName,
} from '@neuroloom/contract/labelling/classes'
import { labelling as limits } from '@neuroloom/contract/limits'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { newClass, skeletonFrom } from './draft.ts'
import styles from './sets.module.css'

type Props = {
  classes: readonly LabelClass[]
  problem: ClassProblem | null
  hasPixels: boolean
  hasPoints: boolean
  onChange: (classes: LabelClass[]) => void
}

/** Names, colours and keys of what is marked; what breaks a rule is told at its name. */
export function ClassFields({ classes, problem, hasPixels, hasPoints, onChange }: Props) {
  const { t } = useTranslation('labelling')
  const hasBackground = classes.some(({ use }) => use === 'background')
  const background = () => newClass(classes, { name: t('classes.background'), use: 'background', key: null })
  return (
    <fieldset className={styles.classes}>
      <legend>{t('classes.title')}</legend>
      {classes.map((one, index) => (
        <ClassField
          key={one.id}
          {...{ one, index, hasPoints }}
          isWrong={problem !== null && problem.name !== '' && sameName(problem.name) === sameName(one.name)}
          onChange={(to) =>
            onChange(classes.map((other) => (other.id === one.id ? { ...one, ...to } : other)))
          }
          onRemove={classes.length > 1 ? () => onChange(classes.filter(({ id }) => id !== one.id)) : null}
        />
      ))}
      {problem && (
        <p className={styles.problem} role="alert">
          {t(`classes.${problem.rule}`, { name: problem.name })}
        </p>
      )}
      <div className={styles.add}>
        <Button icon={<PlusOutlined aria-hidden />} onClick={() => onChange([...classes, newClass(classes)])}>
          {t('classes.add')}
        </Button>
        {hasPixels && !hasBackground && (
          <Button onClick={() => onChange([...classes, background()])}>{t('classes.addBackground')}</Button>
        )}
      </div>
    </fieldset>
  )
}

type FieldProps = {
  one: LabelClass
  index: number
  hasPoints: boolean
  isWrong: boolean
  onChange: (to: Partial<LabelClass>) => void
  onRemove: (() => void) | null
}

const NO_KEY = 0
const keys = [NO_KEY, 1, 2, 3, 4, 5, 6, 7, 8, 9]

function ClassField({ one, index, hasPoints, isWrong, onChange, onRemove }: FieldProps) {
  const { t } = useTranslation('labelling')
  const name = t('classes.name', { number: index + 1 })
  return (
    <div className={styles.class}>
      <input
        type="color"
        value={one.colour}
        aria-label={t('classes.colour', { name: one.name })}
        onChange={({ target }) => onChange({ colour: target.value })}
      />
      <Input
        value={one.name}
        maxLength={limits.classNameLength}
        placeholder={name}
        aria-label={name}
        {...(isWrong ? { status: 'error' as const } : {})}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <Select
        value={one.use}
        aria-label={t('classes.use')}
        popupMatchSelectWidth={false}
        options={classUses.map((use) => ({ value: use, label: t(`classes.uses.${use}`) }))}
        onChange={(use) => onChange({ use })}
      />
      <Select
        value={one.key ?? NO_KEY}
        aria-label={t('classes.key')}
        options={keys.map((key) => ({ value: key, label: key === NO_KEY ? '–' : key }))}
        onChange={(key) => onChange({ key: key === NO_KEY ? null : key })}
      />
      <Button
        type="text"
        icon={<DeleteOutlined aria-hidden />}
        disabled={onRemove === null}
        aria-label={t('classes.remove', { name: one.name })}
        onClick={() => onRemove?.()}
      />
      <Input
        className={styles.wide ?? ''}
        value={one.description}
        placeholder={t('classes.description')}
        aria-label={t('classes.description')}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      {hasPoints && one.use === 'class' && (
        <Skeleton one={one} onChange={(skeleton) => onChange({ skeleton })} />
      )}
    </div>
  )
}

type SkeletonProps = { one: LabelClass; onChange: (skeleton: LabelClass['skeleton']) => void }

function Skeleton({ one: { skeleton }, onChange }: SkeletonProps) {
  const { t } = useTranslation('labelling')
  const [names, setNames] = useState(skeleton?.points.join(', ') ?? '')
  const [joins, setJoins] = useState(skeleton?.joins.map(([a, b]) => `${a + 1}-${b + 1}`).join(', ') ?? '')
  return (
    <div className={styles.skeleton}>
      <Input
        value={names}
        placeholder={t('classes.points')}
        aria-label={t('classes.points')}
        onChange={({ target }) => {
          setNames(target.value)
          onChange(skeletonFrom(target.value, joins))
        }}
      />
      <Input
        value={joins}
        placeholder={t('classes.joins')}
        aria-label={t('classes.joins')}
        onChange={({ target }) => {
          setJoins(target.value)
          onChange(skeletonFrom(names, target.value))
        }}
      />
    </div>
  )
}

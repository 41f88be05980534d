import { networkFileLimits } from '@neuroloom/contract/limits'
import { type TemplateTask, templateTasks } from '@neuroloom/contract/network/template-tasks'
import { Button, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { firstField } from '../../../../ui/first-field.ts'
import { NumberField } from '../../../../ui/number-field.tsx'
import styles from '../home/home.module.css'
import { emptyNetwork, fewestClasses, type InputKind } from '../home/new-network.ts'
import { useCreate } from '../home/use-create.ts'
import { axisKey } from './axis-value.tsx'

const kinds = ['image', 'volume', 'signal', 'vec'] as const satisfies readonly InputKind[]
const firstSizes: Record<(typeof kinds)[number], readonly number[]> = {
  image: [256, 256],
  volume: [64, 64, 64],
  signal: [1024],
  vec: [],
}
const withClasses: ReadonlySet<string> = new Set(['classification', 'segmentation', 'detection'])

/** An empty network: what goes in and what must come out; only the middle is missing. */
export function EmptyForm() {
  const { t } = useTranslation(['dripe-panels', 'tasks'])
  const create = useCreate()
  const [name, setName] = useState('')
  const [task, setTask] = useState<TemplateTask>('segmentation')
  const [kind, setKind] = useState<(typeof kinds)[number]>('image')
  const [size, setSize] = useState(firstSizes.image)
  const [channels, setChannels] = useState(1)
  const [classes, setClasses] = useState(2)
  const submit = () => {
    const own = name.trim() === '' ? t('home.untitled') : name.trim()
    const wish = { name: own, task, kind, size, channels, classes: withClasses.has(task) ? classes : null }
    void create.fromDocument(own, () => emptyNetwork(wish))
  }
  return (
    <Form layout="vertical" onFinish={submit} requiredMark={false}>
      <Form.Item label={t('network.name')} htmlFor="empty-name">
        <Input
          id="empty-name"
          ref={firstField}
          maxLength={networkFileLimits.nameLength}
          placeholder={t('home.untitled')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Form.Item>
      <div className={styles.pair}>
        <Form.Item label={t('network.task')} htmlFor="empty-task">
          <Select
            id="empty-task"
            value={task}
            options={templateTasks.map((value) => ({ value, label: t(`tasks:name.${value}`) }))}
            onChange={setTask}
          />
        </Form.Item>
        <Form.Item label={t('input.kindLabel')} htmlFor="empty-kind">
          <Select
            id="empty-kind"
            value={kind}
            options={kinds.map((value) => ({ value, label: t(`input.kind.${value}`) }))}
            onChange={(value) => {
              setKind(value)
              setSize(firstSizes[value])
            }}
          />
        </Form.Item>
      </div>
      <div className={styles.pair}>
        {size.map((side, k) => (
          <NumberItem
            // biome-ignore lint/suspicious/noArrayIndexKey: axes have no other name than their place
            key={k}
            id={`empty-size-${k}`}
            label={t(axisKey(k, size.length))}
            value={side}
            least={1}
            onChange={(value) => setSize(size.map((old, at) => (at === k ? value : old)))}
          />
        ))}
        <NumberItem
          id="empty-channels"
          label={t('input.channels')}
          value={channels}
          least={1}
          onChange={setChannels}
        />
        {withClasses.has(task) ? (
          <NumberItem
            id="empty-classes"
            label={t('start.classes')}
            value={classes}
            least={fewestClasses(task)}
            onChange={setClasses}
          />
        ) : null}
      </div>
      <Button type="primary" htmlType="submit" block loading={create.isBusy}>
        {t('start.create')}
      </Button>
    </Form>
  )
}

type NumberItemProps = {
  id: string
  label: string
  value: number
  least: number
  onChange: (value: number) => void
}

function NumberItem({ id, label, value, least, onChange }: NumberItemProps) {
  return (
    <Form.Item label={label} htmlFor={id}>
      <NumberField
        id={id}
        className={styles.number ?? ''}
        min={least}
        max={65_536}
        precision={0}
        value={value}
        onChange={(next) => next !== null && onChange(next)}
      />
    </Form.Item>
  )
}

import { DeleteOutlined } from '@ant-design/icons'
import { market as limits } from '@neuroloom/contract/limits'
import { type WorkTask, workTasks } from '@neuroloom/contract/market/demand'
import type { Case } from '@neuroloom/contract/market/provider'
import { Button, Checkbox, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import { FileField, type FilePicker } from './file-field.tsx'
import styles from './market.module.css'
import { useTaskName } from './use-task-name.ts'
import { WordsField } from './words-field.tsx'

type Props = {
  /** To be changed; null = a new one. */
  shown: Case | null
  Picker: FilePicker
  onClose: () => void
}
type Figure = { key: number; name: string; value: string }

/** Finished work as others see it: a title, pictures, words and figures. */
export function CaseDialog({ shown, Picker, onClose }: Props) {
  const { t } = useTranslation('market')
  const nameOf = useTaskName()
  const [title, setTitle] = useState(shown?.title ?? '')
  const [task, setTask] = useState<WorkTask>(shown?.task ?? 'segmentation')
  const [text, setText] = useState(shown?.text ?? '')
  const [isPublic, setPublic] = useState(shown?.isPublic ?? true)
  const [files, setFiles] = useState(shown?.pictures.map(({ id, name }) => ({ id, name })) ?? [])
  const [figures, setFigures] = useState<Figure[]>(
    () => shown?.figures.map((figure, key) => ({ key, ...figure })) ?? [],
  )
  const had = new Set(shown?.pictures.map(({ id }) => id))
  const save = useAction('case/save', {
    quiet: true,
    refresh: ['case/list', 'case/detail', 'provider/detail'],
    onDone: () => toast.success(t('case.saved')),
  })
  const said = figures.map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
  const isComplete = said.every(({ name, value }) => name !== '' && value !== '')
  const form = () => ({
    ...{ id: shown?.id ?? null, title: title.trim(), task, text: text.trim(), isPublic, figures: said },
    fileIds: files.flatMap(({ id }) => (had.has(id) ? [] : [id])),
    keep: files.flatMap(({ id }) => (had.has(id) ? [id] : [])),
  })
  return (
    <SaveDialog
      width={600}
      title={t(shown ? 'case.edit' : 'case.add')}
      isDisabled={title.trim() === '' || text.trim() === '' || !isComplete}
      onSave={async () => save.mutateAsync(form())}
      onClose={onClose}
    >
      <div className={styles.form}>
        <WordsField
          id="case-title"
          label={t('form.title')}
          text={title}
          maxLength={limits.titleLength}
          onText={setTitle}
        />
        <div className={styles.field}>
          <label htmlFor="case-task">{t('task')}</label>
          <Select<WorkTask>
            id="case-task"
            value={task}
            onChange={setTask}
            options={workTasks.map((value) => ({ value, label: nameOf(value) }))}
          />
        </div>
        <WordsField
          id="case-text"
          label={t('case.text')}
          help={t('case.textHelp')}
          text={text}
          maxLength={limits.textLength}
          rows={4}
          onText={setText}
        />
        <FileField
          label={t('case.pictures')}
          help={t('case.picturesHelp')}
          files={files}
          most={limits.pictures}
          Picker={Picker}
          onChange={setFiles}
        />
        <Figures figures={figures} onChange={setFigures} />
        <Checkbox checked={isPublic} onChange={({ target }) => setPublic(target.checked)}>
          {t('case.isPublic')}
        </Checkbox>
        {save.error && (
          <p role="alert" className={styles.problem}>
            {messageOf(save.error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}

function Figures({
  figures,
  onChange,
}: {
  figures: readonly Figure[]
  onChange: (figures: Figure[]) => void
}) {
  const { t } = useTranslation('market')
  const set = (key: number, changes: Partial<Figure>) =>
    onChange(figures.map((figure) => (figure.key === key ? { ...figure, ...changes } : figure)))
  const next = Math.max(-1, ...figures.map(({ key }) => key)) + 1
  return (
    <fieldset className={styles.field}>
      <legend className={styles.label}>{t('case.figures')}</legend>
      <p className={styles.help}>{t('case.figuresHelp')}</p>
      {figures.map(({ key, name, value }, place) => (
        <div key={key} className={styles.part}>
          <Input
            aria-label={t('case.figureName', { number: place + 1 })}
            placeholder={t('case.figureName', { number: place + 1 })}
            maxLength={limits.lineLength}
            value={name}
            onChange={({ target }) => set(key, { name: target.value })}
          />
          <Input
            aria-label={t('case.figureValue', { number: place + 1 })}
            maxLength={limits.lineLength}
            value={value}
            onChange={({ target }) => set(key, { value: target.value })}
          />
          <Button
            type="text"
            icon={<DeleteOutlined aria-hidden />}
            aria-label={t('case.figureRemove', { number: place + 1 })}
            onClick={() => onChange(figures.filter((figure) => figure.key !== key))}
          />
        </div>
      ))}
      <div>
        <Button
          disabled={figures.length >= limits.figures}
          onClick={() => onChange([...figures, { key: next, name: '', value: '' }])}
        >
          {t('case.addFigure')}
        </Button>
      </div>
    </fieldset>
  )
}

import { market as limits } from '@neuroloom/contract/limits'
import { type Demand, type WorkTask, workTasks } from '@neuroloom/contract/market/demand'
import { yuanText } from '@neuroloom/contract/membership/money'
import { Button, Checkbox, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { RefusalText } from '../../ui/limits/refusal-text.tsx'
import { FileField, type FilePicker } from './file-field.tsx'
import styles from './market.module.css'
import { MoneyField, priceOf } from './money-field.tsx'
import { useTaskName } from './use-task-name.ts'
import { WordsField } from './words-field.tsx'

type Props = {
  /** To be changed; null = a new one. */
  demand: Demand | null
  Picker: FilePicker
  FolderPicker: FilePicker
  onSaved: (demand: Demand) => void
}

/** What is to be done, by when, for about how much; the same form posts and changes. */
export function DemandForm({ demand, Picker, FolderPicker, onSaved }: Props) {
  const { t } = useTranslation('market')
  const nameOf = useTaskName()
  const [title, setTitle] = useState(demand?.title ?? '')
  const [task, setTask] = useState<WorkTask>(demand?.task ?? 'segmentation')
  const [description, setDescription] = useState(demand?.description ?? '')
  const [budget, setBudget] = useState(demand ? yuanText(demand.budgetFen) : '')
  const [deadline, setDeadline] = useState(demand?.deadline ?? '')
  const [files, setFiles] = useState(demand?.attachments.map(({ id, name }) => ({ id, name })) ?? [])
  const [folders, setFolders] = useState(demand?.data.map(({ id, name }) => ({ id, name })) ?? [])
  const [withPatients, setWithPatients] = useState(false)
  const had = new Set(demand?.attachments.map(({ id }) => id))
  const refresh = ['demand/list', 'demand/detail'] as const
  const post = useAction('demand/post', { quiet: true, refresh, onDone: onSaved })
  const edit = useAction('demand/edit', { quiet: true, refresh, onDone: onSaved })
  const budgetFen = priceOf(budget)
  const isPast = deadline !== '' && deadline < new Date().toISOString().slice(0, 10)
  const isReady = title.trim() !== '' && description.trim() !== '' && deadline !== '' && !isPast
  const error = post.error ?? edit.error
  const namesPatients = error?.name === 'patients_named' && folders.length > 0
  const save = () => {
    if (budgetFen === null) return
    const fileIds = files.flatMap(({ id }) => (had.has(id) ? [] : [id]))
    const form = { title: title.trim(), task, description: description.trim(), budgetFen, deadline, fileIds }
    const data = { folderIds: folders.map(({ id }) => id), withPatients }
    if (!demand) return post.mutate({ ...form, ...data })
    const keep = files.flatMap(({ id }) => (had.has(id) ? [id] : []))
    edit.mutate({ ...form, ...data, id: demand.id, keep })
  }
  return (
    <form
      className={styles.page}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <WordsField
        id="demand-title"
        label={t('form.title')}
        help={t('form.titleHelp')}
        text={title}
        maxLength={limits.titleLength}
        onText={setTitle}
      />
      <div className={styles.field}>
        <label htmlFor="demand-task">{t('task')}</label>
        <Select<WorkTask>
          id="demand-task"
          value={task}
          onChange={setTask}
          options={workTasks.map((value) => ({ value, label: nameOf(value) }))}
        />
      </div>
      <WordsField
        id="demand-description"
        label={t('form.description')}
        help={t('form.descriptionHelp')}
        text={description}
        maxLength={limits.textLength}
        rows={6}
        onText={setDescription}
      />
      <div className={styles.pair}>
        <MoneyField
          id="demand-budget"
          label={t('form.budget')}
          help={t('form.budgetHelp')}
          text={budget}
          onText={setBudget}
        />
        <div className={styles.field}>
          <label htmlFor="demand-deadline">{t('form.deadline')}</label>
          <Input
            id="demand-deadline"
            type="date"
            value={deadline}
            status={isPast ? 'error' : ''}
            aria-invalid={isPast}
            aria-describedby="demand-deadline-help"
            onChange={({ target }) => setDeadline(target.value)}
          />
          <p id="demand-deadline-help" className={isPast ? styles.problem : styles.help}>
            {t(isPast ? 'form.deadlinePast' : 'form.deadlineHelp')}
          </p>
        </div>
      </div>
      <FileField
        label={t('attachments')}
        help={t('form.filesHelp')}
        files={files}
        Picker={Picker}
        onChange={setFiles}
      />
      <FileField
        label={t('data.title')}
        help={t('data.help')}
        choose={t('data.choose')}
        most={limits.folders}
        files={folders}
        Picker={FolderPicker}
        onChange={setFolders}
      />
      {(namesPatients || withPatients) && (
        <Checkbox checked={withPatients} onChange={({ target }) => setWithPatients(target.checked)}>
          {t('data.withPatients')}
        </Checkbox>
      )}
      {error && (
        <p role="alert" className={styles.problem}>
          <RefusalText error={error} />
        </p>
      )}
      <div>
        <Button
          type="primary"
          htmlType="submit"
          disabled={!isReady || budgetFen === null}
          loading={post.isPending || edit.isPending}
        >
          {t(demand ? 'form.save' : 'form.post')}
        </Button>
      </div>
    </form>
  )
}

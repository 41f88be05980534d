import { SearchOutlined } from '@ant-design/icons'
import { type TemplateTask, templateTasks } from '@neuroloom/contract/network/template-tasks'
import { type Template, templates } from '@neuroloom/contract/network/templates'
import { Input } from 'antd'
import { useDeferredValue, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import shared from '../../ui/card.module.css'
import { EmptyState } from '../../ui/empty-state.tsx'
import styles from './gallery.module.css'
import { TemplateCard } from './gallery-card.tsx'
import type { TemplateChoice } from './gallery-choice.ts'
import { TemplateDetails } from './gallery-details.tsx'

type Props = {
  /** Only the templates of this task. */
  task?: string
  onChoose: (choice: TemplateChoice) => void
}

/** Networks to start from, by task, with a search; one opens beside the list with all that is known of it. */
export function TemplateGallery({ task, onChoose }: Props) {
  const { t } = useTranslation(['gallery', 'templates'])
  const [wanted, setWanted] = useState('')
  const [opened, setOpened] = useState<Template | null>(null)
  const ofTask = templates.filter((template) => task === undefined || template.task === task)
  // Typing goes on while the list is searched and drawn anew.
  const found = useFound(ofTask, useDeferredValue(wanted))
  return (
    <div className={styles.gallery}>
      <div className={styles.bar}>
        <Input
          type="search"
          allowClear
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('search')}
          aria-label={t('search')}
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
          className={styles.search ?? ''}
        />
        <span role="status" className={styles.count}>
          {t('count', { count: found.length })}
        </span>
      </div>
      {found.length === 0 ? <EmptyState title={t('none')} text={t('noneText')} /> : null}
      {templateTasks.map((one) => (
        <TaskGroup
          key={one}
          task={one}
          templates={found.filter((template) => template.task === one)}
          onOpen={setOpened}
          onChoose={onChoose}
        />
      ))}
      <TemplateDetails template={opened} onClose={() => setOpened(null)} onChoose={onChoose} />
    </div>
  )
}

type GroupProps = {
  task: TemplateTask
  templates: readonly Template[]
  onOpen: (template: Template) => void
  onChoose: (choice: TemplateChoice) => void
}

function TaskGroup({ task, templates: shown, onOpen, onChoose }: GroupProps) {
  const { t } = useTranslation('gallery')
  const id = useId()
  if (shown.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.task}>
        {t(`task.${task}`)}
      </h2>
      <ul className={`${shared.grid} ${styles.cards}`}>
        {shown.map((template) => (
          <li key={template.id}>
            <TemplateCard template={template} onOpen={onOpen} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Each word must occur in the title, the texts, the paper or the name of the file. */
function useFound(all: readonly Template[], wanted: string): Template[] {
  const { t } = useTranslation(['gallery', 'templates'])
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  return all.filter(({ id, task, source }) => {
    const texts = ['title', 'about', 'architecture'].map((part) => t(`templates:template.${id}.${part}`))
    const all = [id, t(`task.${task}`), source.authors, source.title, `${source.year}`, ...texts]
      .join(' ')
      .toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

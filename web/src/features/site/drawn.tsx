import { builtInNetworks } from '@neuroloom/contract/built-in-networks'
import { templateTasks } from '@neuroloom/contract/network/template-tasks'
import { templates } from '@neuroloom/contract/network/templates'
import { openedEndings, openedImages } from '@neuroloom/contract/opened'
import { networkTask, tasks } from '@neuroloom/contract/task'
import type { JSX } from 'react'
import { useTranslation } from 'react-i18next'
import { ArticleTable } from './article-table.tsx'
import type { DrawnName } from './drawn-texts.ts'
import { TaskCards } from './task-cards.tsx'

const drawings = {
  tasks: TaskCards,
  networks: NetworksTable,
  drawnTasks: DrawnTasksTable,
  formats: FormatsTable,
} as const satisfies Record<DrawnName, () => JSX.Element>

/** A part of a public page that is made from what the contract lists, so that it cannot fall behind the product. */
export function drawnPart(name: DrawnName): JSX.Element {
  const Drawing = drawings[name]
  return <Drawing />
}

function NetworksTable() {
  const { t } = useTranslation(['site', 'tasks', 'networks'])
  const ids = [...new Set(tasks.flatMap((task): readonly string[] => builtInNetworks[task]))]
  const tasksOf = (id: string) =>
    tasks.filter((task) => (builtInNetworks[task] as readonly string[]).includes(id))
  const rows = ids.map((id) => [
    t(`networks:${id}.title`),
    tasksOf(id)
      .map((task) => t(`tasks:name.${task}`))
      .join(t('drawn.comma')),
    t(`networks:${id}.about`),
  ])
  return <ArticleTable head={[t('drawn.network'), t('drawn.task'), t('drawn.suits')]} rows={rows} />
}

/** What can be drawn in DRIPE, and which of it is trained here. */
function DrawnTasksTable() {
  const { t } = useTranslation(['site', 'tasks'])
  const trained = new Set<string>([...Object.values(networkTask), 'flow'])
  const rows = templateTasks.map((task) => [
    t(`tasks:name.${task}`),
    String(templates.filter((template) => template.task === task).length),
    t(trained.has(task) ? 'drawn.yes' : 'drawn.notYet'),
  ])
  return <ArticleTable head={[t('drawn.task'), t('drawn.templates'), t('drawn.train')]} rows={rows} />
}

/** What the viewer opens. */
function FormatsTable() {
  const { t } = useTranslation('site')
  const groups = ['volumes', 'pictures'] as const
  const images = groups.map((group) => [
    t(`drawn.opened.${group}`),
    Object.values(openedImages[group]).join(t('drawn.comma')),
  ])
  const kinds = ['video', 'pdf', 'workbook', 'table', 'json', 'yaml', 'text'] as const
  const others = kinds.map((kind) => [
    t(`drawn.opened.${kind}`),
    openedEndings[kind].map((ending) => `.${ending}`).join(t('drawn.comma')),
  ])
  return <ArticleTable head={[t('drawn.opens'), t('drawn.format')]} rows={[...images, ...others]} />
}

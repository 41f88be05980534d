import { SearchOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import type { OwnTool } from '@neuroloom/contract/toolbox/own-tools'
import { ownToolName, toolGroups, tools } from '@neuroloom/contract/toolbox/toolbox'
import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import cards from '../../ui/card.module.css'
import { EmptyState } from '../../ui/empty-state.tsx'
import { findTools } from './find-tools.ts'
import { type ShownTool, ToolCard } from './tool-card.tsx'
import styles from './toolbox.module.css'

type ToolListProps = { home: Answer<'toolbox/home'>; own: readonly OwnTool[] }

/** Every tool by group, favourites before all; or those that are looked for. */
export function ToolList({ home, own }: ToolListProps) {
  const { t } = useTranslation(['toolbox', 'own-tools', 'errors'])
  const [text, setText] = useState('')
  const isSearching = text.trim() !== ''
  const builtIn = tools.map((tool) => ({
    ...tool,
    title: t(`tool.${tool.name}.title`),
    text: t(`tool.${tool.name}.text`),
  }))
  const made = own.filter(({ from }) => from === null).map((tool) => shownOwn(tool, t))
  const given = own.filter(({ from }) => from !== null).map((tool) => shownOwn(tool, t))
  const all: ShownTool[] = [...builtIn, ...made, ...given]
  const found = findTools(text, all)
  const favourites = home.favourites.flatMap((name) => all.find((tool) => tool.name === name) ?? [])
  // What queues work is there for those who have the batch predictor.
  const isAvailable = ({ level }: ShownTool): boolean =>
    level === 0 || !home.unavailable.includes('predictor')
  const grid = (shown: readonly ShownTool[]) => (
    <ul className={`${cards.grid} ${styles.grid}`}>
      {shown.map((tool) => (
        <ToolCard
          key={tool.name}
          tool={tool}
          isFavourite={home.favourites.includes(tool.name)}
          isAvailable={isAvailable(tool)}
        />
      ))}
    </ul>
  )
  const section = (id: string, title: string, children: ReactNode) => (
    <section key={id} aria-labelledby={id}>
      <h2 id={id} className={styles.group}>
        {title}
      </h2>
      {children}
    </section>
  )
  return (
    <>
      <div className={styles.search}>
        <Input
          allowClear
          size="large"
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('search')}
          aria-label={t('search')}
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {isSearching && found.length === 0 && (
        <EmptyState
          title={t('nothingFound', { text })}
          action={<Button onClick={() => setText('')}>{t('clearSearch')}</Button>}
        />
      )}
      {isSearching && found.length > 0 && grid(found)}
      {!isSearching && (
        <>
          {favourites.length > 0 && section('favourites', t('favourites'), grid(favourites))}
          {made.length > 0 && section('group-own', t('own-tools:group.own'), grid(made))}
          {given.length > 0 && section('group-given', t('own-tools:group.given'), grid(given))}
          {toolGroups.map((group) =>
            section(
              `group-${group}`,
              t(`group.${group}`),
              grid(builtIn.filter((tool) => tool.group === group)),
            ),
          )}
          {made.length === 0 &&
            section(
              'group-own',
              t('own-tools:group.own'),
              <p className={styles.lead}>{t('own-tools:group.none')}</p>,
            )}
        </>
      )}
    </>
  )
}

type Translate = ReturnType<typeof useTranslation<['toolbox', 'own-tools', 'errors']>>['t']

function shownOwn({ id, name, about, picture, level, kind, from, state }: OwnTool, t: Translate): ShownTool {
  const source = from && t('own-tools:from', { owner: from.owner })
  const refusal = state === 'ready' ? null : t(`errors:own_tool_${state}`)
  return {
    ...{ name: ownToolName(id), title: name, picture, level },
    text: about || t(`own-tools:kind.${kind}`),
    words: kind,
    note: refusal ?? source ?? undefined,
  }
}

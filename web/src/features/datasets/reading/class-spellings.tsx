import type { Dataset } from '@neuroloom/contract/datasets'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { joinedGroups } from './joined-names.ts'
import { useReadAs } from './use-read-as.ts'

/** Classes that differ in case and blanks alone, side by side: one press makes one of each group, another one takes it back. */
export function ClassSpellings({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation('labels')
  const decide = useReadAs()
  const { reading } = dataset
  const groups = dataset.facts?.spellings ?? []
  const joined = joinedGroups(reading.classNames)
  const save = (classNames: Record<string, string>) =>
    decide.mutate({ id: dataset.id, reading: { ...reading, classNames } })
  const join = () => {
    const classNames = { ...reading.classNames }
    for (const group of groups) for (const name of group) classNames[name] = usualOf(group, dataset)
    save(classNames)
  }
  const separate = () => {
    const all = new Set(joined.flat())
    save(Object.fromEntries(Object.entries(reading.classNames).filter(([own]) => !all.has(own))))
  }
  const button = (text: string, press: () => void): ReactNode =>
    dataset.owner === '' && (
      <Button loading={decide.isPending} onClick={press}>
        {text}
      </Button>
    )
  return (
    <>
      {groups.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('spellings', { count: groups.length })}
          description={<Groups groups={groups} />}
          action={button(t('joinSpellings'), join)}
        />
      )}
      {joined.length > 0 && (
        <Alert
          type="info"
          title={t('joinedSpellings')}
          description={<Groups groups={joined} />}
          action={button(t('separateSpellings'), separate)}
        />
      )}
    </>
  )
}

function Groups({ groups }: { groups: readonly string[][] }) {
  const { t } = useTranslation('labels')
  return (
    <ul>
      {groups.map((group) => (
        <li key={group.join()}>{group.map((name) => t('spelling', { name })).join(' = ')}</li>
      ))}
    </ul>
  )
}

/** The spelling that most pictures or boxes have. */
function usualOf(group: readonly string[], { classes, facts }: Dataset): string {
  const countOf = (name: string): number => facts?.classCounts[classes.indexOf(name)] ?? 0
  return group.reduce((best, name) => (countOf(name) > countOf(best) ? name : best))
}

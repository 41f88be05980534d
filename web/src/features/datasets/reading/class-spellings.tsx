import type { Dataset } from '@neuroloom/contract/datasets'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useReadAs } from './use-read-as.ts'

/** Classes that differ in case and blanks alone, side by side; one press makes one of each group. */
export function ClassSpellings({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation('labels')
  const decide = useReadAs()
  const groups = dataset.facts?.spellings ?? []
  if (groups.length === 0) return null
  const join = () => {
    const { reading } = dataset
    const classNames = { ...reading.classNames }
    for (const group of groups) for (const name of group) classNames[name] = usualOf(group, dataset)
    decide.mutate({ id: dataset.id, reading: { ...reading, classNames } })
  }
  return (
    <Alert
      type="warning"
      showIcon
      title={t('spellings', { count: groups.length })}
      description={
        <ul>
          {groups.map((group) => (
            <li key={group.join()}>{group.map((name) => t('spelling', { name })).join(' = ')}</li>
          ))}
        </ul>
      }
      action={
        dataset.owner === '' && (
          <Button loading={decide.isPending} onClick={join}>
            {t('joinSpellings')}
          </Button>
        )
      }
    />
  )
}

/** The spelling that most pictures or boxes have. */
function usualOf(group: readonly string[], { classes, facts }: Dataset): string {
  const countOf = (name: string): number => facts?.classCounts[classes.indexOf(name)] ?? 0
  return group.reduce((best, name) => (countOf(name) > countOf(best) ? name : best))
}

import { stepGroups } from '@neuroloom/contract/recipes/step-groups'
import { toolGroups, tools } from '@neuroloom/contract/toolbox/toolbox'
import { useTranslation } from 'react-i18next'
import { ArticleTable } from './article-table.tsx'

/** Every tool with what it is for, and from which level on where not everybody has it, group by group as the toolbox shows them. */
export function ToolsTable() {
  const { t } = useTranslation(['tutorial-toolbox', 'toolbox'])
  const ordered = toolGroups.flatMap((group) => tools.filter((tool) => tool.group === group))
  const rows = ordered.map(({ name, level }) => [
    t(`toolbox:tool.${name}.title`),
    `${t(`toolbox:tool.${name}.text`)}${level === 0 ? '' : ` **${t(`toolbox:from.${level}`)}**`}`,
  ])
  return <ArticleTable head={[t('table.tool'), t('table.does')]} rows={rows} />
}

/** Every step of recipes, in the words of the page that puts them together. */
export function RecipeSteps() {
  const { t } = useTranslation(['tutorial-toolbox', 'recipes'])
  const rows = stepGroups.flatMap(({ names }) =>
    names.map((name) => [t(`recipes:step.${name}.name`), t(`recipes:step.${name}.text`)]),
  )
  return <ArticleTable head={[t('table.step'), t('table.makes')]} rows={rows} />
}

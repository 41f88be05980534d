import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { hasNoLevels, usePublicSetting } from '../../features/accounts/entrance/public-setting.ts'
import { Article } from '../../features/site/article.tsx'
import { type ArticleText, useArticle } from '../../features/site/article-text.ts'
import { FlowFiles, FlowLights, FlowMost, KnownFlows } from '../../features/site/flow-tables.tsx'
import { LabelFormats } from '../../features/site/label-formats.tsx'
import { LevelsTable } from '../../features/site/levels-table.tsx'
import { SiteLink } from '../../features/site/site-link.tsx'
import { RecipeSteps, ToolsTable } from '../../features/site/toolbox-tables.tsx'
import { type TutorialName, tutorialNames, tutorialTexts } from '../../features/site/tutorials.ts'
import { NotFound } from '../not-found.tsx'
import styles from './tutorial.module.css'

/** One tutorial, by its name in the address. */
export function TutorialPage() {
  const { name } = useParams()
  const known = tutorialNames.find((one) => one === name)
  if (known === undefined) return <NotFound isFramed />
  return known === 'registration' ? <Registration /> : <Known key={known} name={known} />
}

/** What is made from the contract's own lists, so that it cannot fall behind the product: by the section that it follows. */
const after: Partial<Record<TutorialName, Record<string, ReactNode>>> = {
  registration: { levels: <LevelsTable /> },
  labelling: { exchange: <LabelFormats /> },
  flow: { known: <KnownFlows />, data: <FlowFiles />, lights: <FlowLights />, report: <FlowMost /> },
  toolbox: { tools: <ToolsTable />, prepare: <RecipeSteps /> },
}

const listed = (name: TutorialName): string => `tutorial:pages.${name}.`

function Known({ name }: { name: TutorialName }) {
  return <Shown name={name} text={useArticle(tutorialTexts(name), { listed: listed(name) })} />
}

/** Of levels and what they cost. */
const ofLevels: ReadonlySet<string> = new Set(['levels', 'upgrade'])

/** Tells of registering only where people make their own accounts, and of levels only where there are any. */
function Registration() {
  const setting = usePublicSetting()
  const isLevelless = hasNoLevels(setting)
  const variants = [
    ...(setting?.registration === false ? ['closed'] : []),
    ...(isLevelless ? ['noLevels'] : []),
  ]
  const text = useArticle(tutorialTexts('registration'), { listed: listed('registration'), variants })
  const sections = Object.entries(text.sections).filter(([name]) => !isLevelless || !ofLevels.has(name))
  return <Shown name="registration" text={{ ...text, sections: Object.fromEntries(sections) }} />
}

function Shown({ name, text }: { name: TutorialName; text: ArticleText }) {
  const { t } = useTranslation('tutorial')
  return (
    <Article
      text={text}
      above={
        <SiteLink to="/tutorial" className={styles.back}>
          {t('all')}
        </SiteLink>
      }
      after={after[name] ?? {}}
    >
      <Ways name={name} />
    </Article>
  )
}

/** On to the tutorials before and after. */
function Ways({ name }: { name: TutorialName }) {
  const { t } = useTranslation('tutorial')
  const index = tutorialNames.indexOf(name)
  const previous = tutorialNames[index - 1]
  const next = tutorialNames[index + 1]
  return (
    <nav className={styles.ways} aria-label={t('ways')}>
      {previous && (
        <SiteLink to={`/tutorial/${previous}`}>
          {t('previous', { title: t(`pages.${previous}.title`) })}
        </SiteLink>
      )}
      {next && (
        <SiteLink to={`/tutorial/${next}`} className={styles.next}>
          {t('next', { title: t(`pages.${next}.title`) })}
        </SiteLink>
      )}
    </nav>
  )
}

import type { DataFacts } from '@neuroloom/contract/datasets'
import type { Suggestion } from '@neuroloom/contract/runs'
import type { Task } from '@neuroloom/contract/task'
import { Collapse } from 'antd'
import { useTranslation } from 'react-i18next'
import { Readiness } from './readiness.tsx'
import { SettingReasons } from './setting-reasons.tsx'
import { Settings } from './settings.tsx'
import type { Draft } from './settings-draft.ts'
import { SplitOffer } from './split-offer.tsx'
import styles from './train-panel.module.css'

type Props = {
  task: Task
  classes: readonly string[]
  facts: DataFacts | null
  suggestion: Suggestion
  networkName: string
  draft: Draft
  onChange: (draft: Draft) => void
}

/** How it is tested first, then why the settings are so and all of them, each behind a fold, and whether the run can start. */
export function TrainSettings({ task, classes, facts, suggestion, networkName, draft, onChange }: Props) {
  const { t } = useTranslation('runs')
  return (
    <>
      <SplitOffer {...{ facts, task, suggestion, draft, onChange }} />
      <section className={styles.part}>
        <h3 className={styles.title}>{t('train.settings')}</h3>
        <p className={styles.lead}>{t('train.settingsLead')}</p>
        <Collapse
          ghost
          className={styles.fold ?? ''}
          items={[
            {
              key: 'why',
              label: t('settings.why'),
              children: (
                <SettingReasons task={task} suggestion={suggestion} networkName={networkName} draft={draft} />
              ),
            },
            {
              key: 'all',
              label: t('settings.all'),
              children: (
                <Settings
                  task={task}
                  suggestion={suggestion}
                  classes={classes}
                  draft={draft}
                  onChange={onChange}
                />
              ),
            },
          ]}
        />
      </section>
      <Readiness suggestion={suggestion} task={task} />
    </>
  )
}

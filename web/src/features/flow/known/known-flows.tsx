import { type PhantomName, phantoms } from '@neuroloom/contract/flow/named'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction, usePages } from '../../../lib/query.ts'
import cards from '../../../ui/card.module.css'
import { Page, PageHeader } from '../../../ui/page.tsx'
import { projectAddress, studiesAddress, studyAddress } from '../address.ts'
import flow from '../flow.module.css'
import { useAddStudy } from '../project/use-add-study.ts'
import { ResearchNote } from '../research-note.tsx'
import { MissingNote } from '../studies/missing-note.tsx'
import { drawings } from './drawings.tsx'
import styles from './known.module.css'
import { ScanDialog } from './scan-dialog.tsx'

type Props = {
  /** What is measured is taken into this project at once. */
  projectId: string | null
}

/** Known flows: each is measured in one press, or with other settings of the scan. */
export function KnownFlows({ projectId }: Props) {
  const { t } = useTranslation(['flow', 'flow-project'])
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<PhantomName | null>(null)
  // Only whether the server can measure is asked here.
  const query = usePages('flow/studies', {})
  const add = useAddStudy()
  const measure = useAction('flow/phantom', {
    refresh: ['flow/studies'],
    onDone: ({ id }) => {
      if (projectId === null) return void navigate(studyAddress(id))
      add.mutate({ projectId, studyId: id })
      void navigate(projectAddress(projectId))
    },
  })
  const missing = query.data?.pages[0]?.missing ?? []
  const nameOf = (phantom: PhantomName) => t(`flow.${phantom}.name`)
  return (
    <Page>
      <PageHeader
        title={t('knownFlows.title')}
        subtitle={
          <>
            <p>{t('knownFlows.subtitle')}</p>
            <ResearchNote />
          </>
        }
        back={
          projectId === null
            ? { to: studiesAddress, label: t('toStudies') }
            : { to: projectAddress(projectId), label: t('flow-project:toProject') }
        }
      />
      <div className={flow.stack}>
        <MissingNote missing={missing} />
        <ul className={cards.grid}>
          {phantoms.map((phantom) => (
            <li key={phantom} className={cards.card}>
              <div className={styles.top}>
                {drawings[phantom]}
                <h2>{nameOf(phantom)}</h2>
              </div>
              <p className={styles.text}>{t(`flow.${phantom}.text`)}</p>
              <div className={styles.actions}>
                <Button
                  type="primary"
                  aria-label={t('knownFlows.measureOf', { name: nameOf(phantom) })}
                  disabled={
                    missing.length > 0 || (measure.isPending && measure.variables.phantom !== phantom)
                  }
                  loading={measure.isPending && measure.variables.phantom === phantom}
                  onClick={() => measure.mutate({ phantom, name: nameOf(phantom) })}
                >
                  {t('knownFlows.measure')}
                </Button>
                <Button
                  aria-label={t('knownFlows.settingsOf', { name: nameOf(phantom) })}
                  disabled={missing.length > 0}
                  onClick={() => setChosen(phantom)}
                >
                  {t('knownFlows.settings')}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </div>
      {chosen && (
        <ScanDialog
          phantom={chosen}
          title={t('knownFlows.settingsOf', { name: nameOf(chosen) })}
          onStart={(scan) => measure.mutateAsync({ phantom: chosen, name: nameOf(chosen), scan })}
          onClose={() => setChosen(null)}
        />
      )}
    </Page>
  )
}

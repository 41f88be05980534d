import { type Display, displaysOf } from '@neuroloom/contract/displays'
import type { Project } from '@neuroloom/contract/projects'
import { Checkbox } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import styles from './display-choice.module.css'

/** In which ways a project's results are shown: one at least. Whoever may only look sees which. */
export function DisplayChoice({ project }: { project: Project }) {
  const { t } = useTranslation('projects')
  const [isEmpty, setIsEmpty] = useState(false)
  const [wanted, setWanted] = useState<readonly Display[] | null>(null)
  const save = useAction('projects/setDisplays', {
    refresh: ['projects/detail', 'projects/list'],
    onFailed: () => setWanted(null),
  })
  const mayChange = project.access !== 'view'
  const offered: readonly Display[] = displaysOf[project.task]
  // What was chosen last holds until the project itself says so: older answers may still be on their way.
  const chosen = wanted ?? project.displays
  if (wanted !== null && !save.isPending && wanted.join() === project.displays.join()) setWanted(null)
  const toggle = (display: Display) => {
    const next = offered.filter((one) => chosen.includes(one) !== (one === display))
    setIsEmpty(next.length === 0)
    if (next.length === 0) return
    setWanted(next)
    save.mutate({ id: project.id, displays: next })
  }
  const shown = mayChange ? offered : offered.filter((one) => chosen.includes(one))
  return (
    <section id="displays" className={styles.displays} aria-labelledby="displays-title">
      <h3 id="displays-title">{t('displays.title')}</h3>
      <p>{t('displays.text')}</p>
      <ul>
        {shown.map((display) => (
          <li key={display}>
            {mayChange ? (
              <Checkbox checked={chosen.includes(display)} onChange={() => toggle(display)}>
                <Named display={display} />
              </Checkbox>
            ) : (
              <Named display={display} />
            )}
          </li>
        ))}
      </ul>
      {isEmpty && (
        <p className={styles.problem} role="alert">
          {t('displays.needed')}
        </p>
      )}
    </section>
  )
}

function Named({ display }: { display: Display }) {
  const { t } = useTranslation('projects')
  return (
    <>
      <strong>{t(`displays.${display}.name`)}</strong>
      <small>{t(`displays.${display}.text`)}</small>
    </>
  )
}

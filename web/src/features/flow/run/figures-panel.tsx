import { DeleteOutlined } from '@ant-design/icons'
import type { FlowFigure, FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { Panel } from '../../../ui/page.tsx'
import styles from './run.module.css'

type Props = { detail: FlowRunDetail; mayChange: boolean }

/** Pictures of the viewer that the report shows. */
export function FiguresPanel({ detail: { run, figures }, mayChange }: Props) {
  const { t } = useTranslation('flow-run')
  const [removing, setRemoving] = useState<FlowFigure | null>(null)
  const remove = useAction('flow/removeFigure', { refresh: ['flow/run'] })
  if (figures.length === 0 && !mayChange) return null
  return (
    <Panel title={t('figures.title')}>
      {figures.length === 0 && <p className={styles.soft}>{t('figures.none')}</p>}
      <ul className={styles.figures}>
        {figures.map((figure) => (
          <li key={figure.id}>
            <figure>
              <img
                src={figure.url}
                alt={figure.caption}
                width={figure.width}
                height={figure.height}
                loading="lazy"
              />
              <figcaption>
                <span>{figure.caption}</span>
                {mayChange && (
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    aria-label={t('figures.remove', { caption: figure.caption })}
                    onClick={() => setRemoving(figure)}
                  />
                )}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
      <ConfirmRemove
        open={removing !== null}
        title={t('figures.removeTitle')}
        text={removing?.caption}
        onConfirm={() => removing && remove.mutateAsync({ runId: run.id, figureId: removing.id })}
        onClose={() => setRemoving(null)}
      />
    </Panel>
  )
}

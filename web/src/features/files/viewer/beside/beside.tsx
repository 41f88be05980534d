import { Switch } from 'antd'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './beside.module.css'
import { type Matched, makeLink, ViewLinkContext } from './view-link.ts'

type BesideProps = { panes: readonly { key: string; image: ReactNode }[] }

/** Images next to each other, on a phone one above the other; moved together while they are linked. */
export function Beside({ panes }: BesideProps) {
  const { t } = useTranslation('viewer')
  const [isLinked, setIsLinked] = useState(true)
  const [matched, setMatched] = useState<Matched | null>(null)
  const isOn = useRef(true)
  const link = useMemo(() => makeLink(() => isOn.current, setMatched), [])
  useEffect(() => {
    isOn.current = isLinked
  }, [isLinked])
  const label = t('beside.linked')
  return (
    <section className={styles.beside} aria-label={t('beside.title')}>
      <p className={styles.link}>
        <Switch size="small" checked={isLinked} onChange={setIsLinked} aria-label={label} />
        <strong>{label}</strong>
        {isLinked && <span>{t(`beside.matched.${matched ?? 'none'}`)}</span>}
      </p>
      <ViewLinkContext value={link}>
        <div className={styles.panes} data-count={panes.length}>
          {panes.map(({ key, image }) => (
            <div key={key} className={styles.pane}>
              {image}
            </div>
          ))}
        </div>
      </ViewLinkContext>
    </section>
  )
}

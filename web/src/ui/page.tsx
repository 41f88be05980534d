/** The frame of a workspace page: width, padding, heading. */
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import styles from './page.module.css'

export function Page({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>
}

type PageHeaderProps = {
  title: ReactNode
  subtitle?: ReactNode
  /** Where "back" leads; its label names that place. */
  back?: { to: string; label: string } | string
  actions?: ReactNode
  /** For the browser tab, where `title` is not plain text. */
  name?: string
}

export function PageHeader({ title, subtitle, back, actions, name }: PageHeaderProps) {
  const { t } = useTranslation('common')
  useTitle(name ?? (typeof title === 'string' ? title : undefined))
  const target = typeof back === 'string' ? { to: back, label: t('back') } : back
  return (
    <header className={styles.header}>
      {target && (
        <Link to={target.to} className={styles.back}>
          <svg width="16" height="16" viewBox="0 0 16 16" fill="none" aria-hidden="true">
            <path
              d="M10 3 5 8l5 5"
              stroke="currentColor"
              strokeWidth="1.8"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
          {target.label}
        </Link>
      )}
      <div className={styles.row}>
        <div className={styles.heading}>
          <h1 tabIndex={-1}>{title}</h1>
          {subtitle !== undefined && subtitle !== '' && <div className={styles.subtitle}>{subtitle}</div>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
    </header>
  )
}

/** A white panel with an optional heading: the usual container on a page. */
export function Panel({
  title,
  extra,
  children,
}: {
  title?: ReactNode
  extra?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={styles.panel}>
      {(title !== undefined || extra !== undefined) && (
        <div className={styles.panelHead}>
          <h2>{title}</h2>
          {extra}
        </div>
      )}
      {children}
    </section>
  )
}

export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined || title === '' ? 'Neuroloom' : `${title} · Neuroloom`
  }, [title])
}
